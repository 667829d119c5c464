"""What tests of tideline.sections and tideline.replicate share: optimizers, sessions in which the same graph gives the same bits,
errors that are expected."""
import contextlib

import tensorflow.compat.v1 as tf

OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.001),
    "momentum": lambda: tf.train.MomentumOptimizer(0.0005, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
}


def config(cpus=1):
    made = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1, device_count={"CPU": cpus},
                          allow_soft_placement=True)
    made.graph_options.rewrite_options.disable_meta_optimizer = True
    made.graph_options.optimizer_options.opt_level = -1
    return made


@contextlib.contextmanager
def session(graph):
    """With its queues filled by threads."""
    with tf.Session(graph=graph, config=config()) as made:
        coordinator = tf.train.Coordinator()
        with graph.as_default():
            threads = tf.train.start_queue_runners(made, coordinator)
        try:
            yield made
        finally:
            coordinator.request_stop()
            for name in ("batch/fifo_queue_Close_1", "input_producer/input_producer/input_producer_Close_1"):
                if threads:
                    made.run(name)
            coordinator.join(threads, stop_grace_period_secs=20)


def refused(error, work, *words):
    """`work` fails with `error`, whose text has all words."""
    try:
        work()
    except error as problem:
        assert all(word in str(problem) for word in words), problem
        return
    raise AssertionError("expected {} with {}".format(error.__name__, words))
