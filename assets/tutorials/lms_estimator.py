#!/usr/bin/env python3
"""Large model support in a program with an Estimator: LMS is a hook, which edits the graph before its session is made.

    python lms_estimator.py                trains with swapping, and draws what was done: lms_estimator.svg
    python lms_estimator.py --version 1    with version 1 of large model support
    python lms_estimator.py --without      trains the same graph as it is

TensorFlow 2.15 or 1.13, and the package tideline. With --exact the losses are the same bit for bit, with and without.
"""
import argparse
import os
import shutil
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow.compat.v1 as tf

import tideline
from digits import digits
from tideline.lms import LMS
from tideline.lms.v1 import LMSSessionRunHook


def model_fn(features, labels, mode):
    random = tf.initializers.glorot_uniform
    with tf.name_scope("conv"):
        filters = tf.get_variable("filters", [5, 5, 1, 16], initializer=random(seed=1))
        pictures = tf.reshape(features, [-1, 28, 28, 1])
        found = tf.nn.relu(tf.nn.conv2d(pictures, filters, strides=[1, 2, 2, 1], padding="SAME"))
    with tf.name_scope("dense"):
        dense = tf.get_variable("dense", [14 * 14 * 16, 10], initializer=random(seed=2))
        logits = tf.matmul(tf.reshape(found, [-1, 14 * 14 * 16]), dense)
    with tf.name_scope("loss"):
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    with tf.name_scope("optimizer"):
        step = tf.train.AdamOptimizer(1e-3).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)


class Losses(tf.train.SessionRunHook):
    """Prints the loss of every step, and how many ops were added."""

    def begin(self):
        self.loss = tf.get_collection(tf.GraphKeys.LOSSES)[0]
        self.step = 0
        added = [op for op in tf.get_default_graph().get_operations() if op.name.startswith("lms/")]
        print("{} ops added".format(len(added)))
        tideline.view(batch_size=50).save("lms_estimator.svg")

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        print("step {}: loss {!r}".format(self.step, float(run_values.results)))
        self.step += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="store_true", help="do not edit the graph")
    parser.add_argument("--version", type=int, default=2, choices=(1, 2))
    parser.add_argument("--exact", action="store_true", help="one thread, and no optimizer of TensorFlow's")
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    tf.logging.set_verbosity(tf.logging.INFO)
    x, y = digits(options.steps * 50)
    config = tf.ConfigProto()
    if options.exact:
        config.intra_op_parallelism_threads = config.inter_op_parallelism_threads = 1
        config.graph_options.rewrite_options.disable_meta_optimizer = True
    hooks = [Losses()]
    if not options.without:
        hooks.insert(0, LMS(swapout_threshold=5, swapin_ahead=2, swapin_groupby=2) if options.version == 2 else
                     LMSSessionRunHook(optimizer_scopes={"optimizer"}))
    folder = tempfile.mkdtemp()
    try:
        estimator = tf.estimator.Estimator(model_fn, folder, tf.estimator.RunConfig(tf_random_seed=1, session_config=config))
        estimator.train(lambda: tf.data.Dataset.from_tensor_slices((x, y)).batch(50), hooks, steps=options.steps)
    finally:
        shutil.rmtree(folder)
    print("lms_estimator.svg has levels and memory of the graph as it was trained")


if __name__ == "__main__":
    sys.exit(main())
