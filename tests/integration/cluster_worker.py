"""What cluster_test.py needs of TensorFlow, in a folder that it is given: the graph of a small transformer, transformer.meta; and, as
JSON, the devices of the variables of small graphs that TensorFlow's own device setter has placed, beside the graphs without devices."""
import json
import pathlib
import sys

import tensorflow.compat.v1 as tf

from as_run_models import classes_loss, dense, layer_norm, weights
from as_run_sequences import attention

if hasattr(tf, "disable_eager_execution"):
    tf.disable_eager_execution()


def transformer(path, normed=layer_norm):
    words = tf.placeholder(tf.int32, [None, 16], "words")
    table = weights("table", 500, 32)
    h = tf.nn.embedding_lookup(table, words) + weights("places", 16, 32)
    for layer in range(2):
        with tf.variable_scope(f"layer{layer}"):
            h = normed(h + attention(h, h, 2, "attention"), "n0")
            h = normed(h + dense(dense(h, 64, "wide", tf.nn.relu), 32, "narrow"), "n1")
    logits = tf.matmul(tf.reshape(h, [-1, 32]), table, transpose_b=True)
    with tf.name_scope("loss"):
        loss = classes_loss(logits, tf.reshape(words, [-1]))
        tf.identity(loss, "Mean")
    tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_or_create_global_step())
    tf.train.export_meta_graph(str(path))


def layers(optimizer):
    """Variables of very different sizes, the largest not first; a step; and what no optimizer trains."""
    x, y = tf.placeholder(tf.float32, [None, 8], "x"), tf.placeholder(tf.float32, [None, 4], "y")
    h = x
    for i, width in enumerate((3, 50, 7, 200, 11)):
        h = dense(h, width, f"layer{i}", tf.nn.relu)
    tf.get_variable("counted", [40], trainable=False)
    loss = tf.reduce_mean(tf.square(dense(h, 4, "last") - y), name="loss")
    return optimizer.minimize(loss, tf.train.get_or_create_global_step())


class Greedy:
    """GreedyLoadBalancingStrategy with byte_size_load_fn, which TensorFlow 1 has in contrib and TensorFlow 2 nowhere: the least
    loaded task, the first of several, is the next one's."""

    def __init__(self, tasks):
        self.loads = [0] * tasks

    def __call__(self, op):
        shape, dtype = op.get_attr("shape"), tf.as_dtype(op.get_attr("dtype"))
        elements = 1
        for dim in shape.dim:
            elements *= dim.size
        task = self.loads.index(min(self.loads))
        self.loads[task] += elements * dtype.size
        return task


def greedy(tasks):
    try:
        from tensorflow.contrib.training import GreedyLoadBalancingStrategy, byte_size_load_fn
        return GreedyLoadBalancingStrategy(tasks, byte_size_load_fn)
    except ImportError:
        return Greedy(tasks)


def placed(folder, ps, how, resource, optimizer):
    """Once without devices, into a file, and once by the device setter."""
    strategy = {"ps": None, "balanced": greedy(ps)}[how]
    setter = tf.train.replica_device_setter(ps_tasks=ps, ps_device="/job:ps", worker_device="/job:worker/task:0",
                                            ps_strategy=strategy)
    path = folder / f"{how}_{ps}_{int(resource)}.meta"
    devices = {}
    for device in (None, setter):
        tf.reset_default_graph()
        tf.get_variable_scope().set_use_resource(resource)
        with tf.device(device):
            train = layers(optimizer())
        if device is None:
            tf.train.export_meta_graph(str(path))
        else:
            devices = {variable.op.name: variable.device.rstrip("/") + "/device:CPU:0" for variable in tf.global_variables()}
    return {"graph": str(path), "how": how, "ps": ps, "train": train.name, "devices": devices}


def main():
    folder = pathlib.Path(sys.argv[1])
    if not tf.__version__.startswith("1."):
        transformer(folder / "transformer.meta")
    adam, momentum = lambda: tf.train.AdamOptimizer(1e-3), lambda: tf.train.MomentumOptimizer(0.1, 0.9)
    cases = [(how, *case) for how in ("ps", "balanced")
             for case in ((2, True, adam), (3, False, momentum), (2, False, adam), (3, True, momentum))]
    if tf.__version__.startswith("1."):
        # To its strategy all resource variables are of the size of a handle.
        cases = [case for case in cases if case[0] == "ps" or not case[2]]
    print(json.dumps([placed(folder, ps, how, resource, optimizer) for how, ps, resource, optimizer in cases]))


if __name__ == "__main__":
    main()
