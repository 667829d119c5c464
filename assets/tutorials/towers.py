#!/usr/bin/env python3
"""Data parallelism with an Estimator: its model function gets a tower on every device.

    python towers.py                                          two towers on the CPU
    python towers.py --devices /device:GPU:0,/device:GPU:1    one on each GPU
    python towers.py --devices /device:CPU:0                  one device, to compare: the losses are the same but for rounding

TensorFlow 2.15 or 1.13, and the package tideline. At the end it draws the levels of the graph with towers: towers.svg
"""
import argparse
import os
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow.compat.v1 as tf

import tideline
from digits import digits
from tideline.replicate import replicate_model_fn


def model_fn(features, labels, mode):
    """Two dense layers; it knows nothing of towers."""
    def dense(name, x, units):
        weights = tf.get_variable(name, [x.shape[1], units], initializer=tf.truncated_normal_initializer(stddev=0.1, seed=1))
        return tf.matmul(x, weights)

    logits = dense("second", tf.nn.relu(dense("first", features["images"], 128)), 10)
    classes = tf.argmax(logits, 1, name="classes")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"class": classes})
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.no_op(),
                                      eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, classes)})


class Watch(tf.train.SessionRunHook):
    """Prints the loss of every step, and draws the graph before it runs."""

    def __init__(self, batch):
        self.batch, self.step = batch, 0

    def begin(self):
        self.loss = tf.get_default_graph().get_tensor_by_name("loss:0")
        tideline.view(view="levels", batch_size=self.batch).save("towers.svg")

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        print("step {}: loss {!r}".format(self.step, float(run_values.results)), flush=True)
        self.step += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", default="/device:CPU:0,/device:CPU:1")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch", type=int, default=64)
    options = parser.parse_args()
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    devices = options.devices.split(",")
    x, y = digits(options.steps * options.batch)

    def input_fn():
        return tf.data.Dataset.from_tensor_slices(({"images": x}, y)).batch(options.batch)

    # The mean of the towers' losses: what one device would compute for the whole batch.
    towers = replicate_model_fn(model_fn, lambda: tf.train.AdamOptimizer(0.001), devices,
                                loss_reduction=tf.losses.Reduction.MEAN)
    config = tf.ConfigProto(allow_soft_placement=True, device_count={"CPU": len(devices)})
    with tempfile.TemporaryDirectory() as folder:
        estimator = tf.estimator.Estimator(towers, folder, tf.estimator.RunConfig(session_config=config))
        estimator.train(input_fn, hooks=[Watch(options.batch)], steps=options.steps)
        print("accuracy {:.2f}".format(estimator.evaluate(input_fn)["accuracy"]))
        classes = [row["class"] for row in estimator.predict(input_fn)]
    print("{} of {} predictions are right".format(sum(map(int, classes == y)), len(y)))
    print("towers.svg has the levels of the graph with {} towers".format(len(devices)))


if __name__ == "__main__":
    sys.exit(main())
