"""One task of an Estimator with towers, in a Python with TensorFlow 2.15 or 1.13: replicate_cluster_worker.py FOLDER STEPS KIND
SWAPS [original]

Trains and evaluates in FOLDER/model as TF_CONFIG says, or without it in this process alone. KIND is "ref" or "resource", the kind of
the variables; SWAPS is the version of large model support that edits the graph, too, or 0 for none; `original` takes the towers
of TensorFlow 1.13 itself. What was seen goes to FOLDER/TASK.json, with the numbers of an evaluation to FOLDER/evaluation.json. Ends,
at the latest, when its input does."""
import json
import os
import pathlib
import sys
import threading
import time

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow.compat.v1 as tf

import section_runs
from tideline.lms import LMS, LMSSessionRunHook

if sys.argv[5:] == ["original"]:
    from tensorflow.contrib.estimator import TowerOptimizer, replicate_model_fn
else:
    from tideline.replicate import TowerOptimizer, replicate_model_fn

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

FOLDER, STEPS, KIND, SWAPS = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
LMS_HOOKS = {0: [], 1: [LMSSessionRunHook({"gradients"})], 2: [LMS(swapout_threshold=5, swapin_ahead=1, swapin_groupby=2)]}
CLUSTER = json.loads(os.environ.get("TF_CONFIG", "{}"))
TASK = CLUSTER.get("task", {"type": "alone", "index": 0})
NAME = "{}_{}".format(TASK["type"], TASK["index"])
WORKERS = len(CLUSTER.get("cluster", {}).get("worker", []))
TOWERS, BATCH, PATIENCE_S = 2, 12, 60


def input_fn():
    """Always the same batches."""
    random = np.random.RandomState(5)
    x, ids, y = random.randn(3 * BATCH, 6), random.randint(0, 20, 3 * BATCH), random.randn(3 * BATCH, 1)
    rows = ({"x": x.astype(np.float32), "ids": ids.astype(np.int32)}, y.astype(np.float32))
    return tf.data.Dataset.from_tensor_slices(rows).repeat().batch(BATCH)


def model_fn(features, labels, mode):
    """An embedding and three layers, with batch normalisation."""
    def dense(name, x, units):
        weights = tf.get_variable(name, [x.shape[1], units], initializer=tf.glorot_uniform_initializer(seed=1))
        return tf.matmul(x, weights) + tf.get_variable(name + "_bias", [units], initializer=tf.zeros_initializer())

    is_trained = mode == tf.estimator.ModeKeys.TRAIN
    table = tf.get_variable("table", [20, 4], initializer=tf.glorot_uniform_initializer(seed=2))
    h = tf.concat([features["x"], tf.nn.embedding_lookup(table, features["ids"])], 1)
    h = tf.tanh(dense("one", h, 16))
    h = tf.layers.batch_normalization(h, training=is_trained, name="normal")
    y = dense("three", tf.tanh(dense("two", h, 8)), 1)
    loss = tf.reduce_mean(tf.square(y - labels), name="mean_loss")
    optimizer, train_op = TowerOptimizer(tf.train.AdamOptimizer(0.01)), None
    if is_trained:
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op,
                                      eval_metric_ops={"mse": tf.metrics.mean_squared_error(labels, y)})


class Seen(tf.train.SessionRunHook):
    """The bits of the loss and the global step of every step, and where everything is."""

    def __init__(self):
        self.losses, self.steps = [], []

    def after_create_session(self, session, coord):
        self.fetches = [session.graph.get_collection(tf.GraphKeys.LOSSES)[-1], tf.train.get_global_step(session.graph)]
        self.ops = {op.name: op.device for op in session.graph.get_operations()}
        self.swaps = {op.name: [op.inputs[0].device, op.device] for op in session.graph.get_operations()
                      if op.name.startswith("lms/swapout")}
        self.variables = {variable.op.name: variable.device for variable in tf.global_variables()}

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.fetches)

    def after_run(self, run_context, run_values):
        loss, step = run_values.results
        self.losses.append(np.float32(loss).tobytes().hex())
        self.steps.append(int(step))
        if len(self.steps) == 1:
            self._meet_the_others()

    def _meet_the_others(self):
        """The chief would else have done all steps before the workers begin, who wait five seconds on purpose."""
        (FOLDER / (NAME + ".begun")).touch()
        end = time.time() + PATIENCE_S
        while len(list(FOLDER.glob("*.begun"))) < 1 + WORKERS:
            assert time.time() < end, "the other tasks do not begin"
            time.sleep(0.01)


class Evaluated(tf.estimator.Exporter):
    """Is told what the evaluator comes to."""
    name = "evaluated"

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if is_the_final_export:
            write("evaluation", eval_result)


def write(name, found):
    found = {key: repr(value) if isinstance(value, np.generic) else value for key, value in found.items()}
    (FOLDER / (name + ".json")).write_text(json.dumps(found))


def end_with_the_test():
    """A server of the job ps waits for ever."""
    os.read(0, 1)
    os._exit(0)


def main():
    threading.Thread(target=end_with_the_test, daemon=True).start()
    if KIND == "resource":
        tf.enable_resource_variables()
    # Servers get this configuration from their Estimator: a CPU for each tower, one thread, and the filters of TensorFlow's own.
    session = section_runs.config(TOWERS)
    if TASK["type"] in ("chief", "worker"):
        session.device_filters.extend(["/job:ps", "/job:{}/task:{}".format(TASK["type"], TASK["index"])])
    config = tf.estimator.RunConfig(str(FOLDER / "model"), session_config=session, save_checkpoints_steps=STEPS,
                                    log_step_count_steps=None)
    # What is on a CPU is not swapped; without GPUs all of it is there in the end.
    devices = ["/device:{}:{}".format("GPU" if SWAPS else "CPU", at) for at in range(TOWERS)]
    towers = replicate_model_fn(model_fn, loss_reduction=tf.losses.Reduction.SUM, devices=devices)
    estimator = tf.estimator.Estimator(towers, config=config)
    seen = Seen()
    hooks = LMS_HOOKS[SWAPS] + [seen]
    if TASK["type"] == "alone":
        estimator.train(input_fn, hooks, max_steps=STEPS)
        write("evaluation", estimator.evaluate(input_fn, 3))
    else:
        tf.estimator.train_and_evaluate(
            estimator, tf.estimator.TrainSpec(input_fn, STEPS, hooks),
            tf.estimator.EvalSpec(input_fn, 3, exporters=Evaluated(), start_delay_secs=0, throttle_secs=0))
    if seen.losses:
        write(NAME, dict(losses=seen.losses, steps=seen.steps, ops=seen.ops, swaps=seen.swaps, variables=seen.variables))


if __name__ == "__main__":
    sys.exit(main())
