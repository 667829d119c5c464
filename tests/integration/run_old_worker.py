"""Graphs of TensorFlow 1.13 for run_old_test.py, made by it, in a folder that it is given: a classifier, a small transformer, and a step that
calls Python."""
import pathlib
import sys

import tensorflow as tf

from as_run_models import biases, classes_loss, dense
from cluster_worker import transformer


def normed(x, name):
    """A layer's normalization; tf.nn.moments has other parameters here than in TensorFlow 2."""
    with tf.variable_scope(name):
        mean = tf.reduce_mean(x, -1, keepdims=True)
        variance = tf.reduce_mean(tf.square(x - mean), -1, keepdims=True)
        scale = tf.get_variable("scale", [int(x.shape[-1])], initializer=tf.ones_initializer())
        return (x - mean) * tf.rsqrt(variance + 1e-5) * scale + biases("shift", int(x.shape[-1]))


def exported(build, path):
    tf.reset_default_graph()
    build()
    tf.train.export_meta_graph(str(path))


def classifier():
    x, y = tf.placeholder(tf.float32, [None, 32], "x"), tf.placeholder(tf.int64, [None], "y")
    h = x
    for i, width in enumerate((64, 48, 32)):
        h = dense(h, width, f"layer{i}", tf.nn.relu)
    with tf.name_scope("loss"):
        loss = tf.identity(classes_loss(dense(h, 10, "last"), y), "Mean")
    tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_or_create_global_step())


def step_in_python():
    x = tf.placeholder(tf.float32, [4], "x")
    slope = tf.get_variable("slope", [], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(slope * tf.stop_gradient(tf.reshape(tf.py_func(lambda rows: rows, [x], tf.float32), [4])), name="loss")
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def main():
    folder = pathlib.Path(sys.argv[1])
    exported(classifier, folder / "classifier.meta")
    exported(step_in_python, folder / "python.meta")
    tf.reset_default_graph()
    transformer(folder / "transformer.meta", normed)


if __name__ == "__main__":
    main()
