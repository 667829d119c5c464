#!/usr/bin/env python3
"""Section-wise training: a residual network in four sections, written as for partialflow, trains in runs that keep the activations
of one section at a time.

    python sections_resnet.py             trains in sections, tells the memory of each run, and draws it: sections_resnet.svg
    python sections_resnet.py --without   trains the same graph in one run for each step

TensorFlow 2.15 or 1.13, and the package tideline. With --exact the losses are the same bit for bit, with and without.
"""
import argparse
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow.compat.v1 as tf

import tideline
import tideline.compat
from digits import digits
from partialflow import GraphSectionManager


def convolve(x, filters, stride=1):
    kernel = tf.get_variable("kernel", [3, 3, x.shape[-1], filters], initializer=tf.truncated_normal_initializer(stddev=0.1))
    return tf.nn.conv2d(x, kernel, strides=[1, stride, stride, 1], padding="SAME")


def normalize(x):
    """Batch normalisation; its moving averages are updates of the section."""
    shape = [x.shape[-1]]
    scale = tf.get_variable("scale", shape, initializer=tf.ones_initializer())
    shift = tf.get_variable("shift", shape, initializer=tf.zeros_initializer())
    moving = tf.get_variable("moving_mean", shape, initializer=tf.zeros_initializer(), trainable=False)
    mean, variance = tf.nn.moments(x, [0, 1, 2])
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_sub(moving, 0.1 * (moving - mean)))
    return tf.nn.relu(tf.nn.batch_normalization(x, mean, variance, shift, scale, 0.001))


def block(name, x, filters=None):
    """Two convolutions around which the input goes; with more filters the pictures are halved."""
    stride = 1 if filters is None else 2
    filters = filters or int(x.shape[-1])
    with tf.variable_scope(name):
        with tf.variable_scope("first"):
            found = convolve(normalize(x), filters, stride)
        with tf.variable_scope("second"):
            found = convolve(normalize(found), filters)
        if stride > 1:
            with tf.variable_scope("around"):
                x = convolve(x, filters, stride)
    return found + x


def build(manager):
    images = tf.placeholder(tf.float32, [None, 784], "images")
    labels = tf.placeholder(tf.int64, [None], "labels")
    with manager.new_section():
        with tf.variable_scope("begin"):
            x = convolve(tf.reshape(images, [-1, 28, 28, 1]), 16)
        x = block("block2", block("block1", x))
    with manager.new_section():
        x = block("block4", block("block3", x, 32))
    with manager.new_section():
        x = block("block6", block("block5", x, 64))
    with manager.new_section():
        pooled = tf.reduce_mean(x, axis=[1, 2])
        weights = tf.get_variable("weights", [64, 10], initializer=tf.truncated_normal_initializer(stddev=0.1))
        logits = tf.matmul(pooled, weights)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
    return images, labels, loss, accuracy


def session(options):
    config = tf.ConfigProto()
    if options.exact:
        config.intra_op_parallelism_threads = config.inter_op_parallelism_threads = 1
        config.graph_options.rewrite_options.disable_meta_optimizer = True
    return tf.Session(config=config)


def show(manager, batch):
    """The memory of the whole step and of every run, by the app's model, and a picture of the largest run."""
    def peak(op):
        return tideline.simulate(fetch=op.name, batch_size=batch).summary["device_peak_bytes"]

    runs = {section.get_training_op().name: peak(section.get_training_op()) for section in manager.get_sections()}
    print("a whole step needs {:.1f} MiB of device memory".format(peak(manager.train_op) / 2 ** 20))
    for section in manager.get_sections():
        print("section {}: {:.1f} MiB; fed {}".format(
            section.get_index(), runs[section.get_training_op().name] / 2 ** 20,
            ", ".join(sorted(tensor.name for tensor in section.get_tensors_to_feed()))))
    largest = max(runs, key=runs.get)
    tideline.view(view="memory", fetch=largest, batch_size=batch).save("sections_resnet.svg")
    print("sections_resnet.svg has the memory of the run {}; tideline.open() shows the graph in the app".format(largest))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="store_true", help="make every step in one run")
    parser.add_argument("--exact", action="store_true", help="one thread, and no optimizer of TensorFlow's")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--batch", type=int, default=32)
    options = parser.parse_args()
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.set_random_seed(1)
    manager = GraphSectionManager()
    images, labels, loss, accuracy = build(manager)
    manager.add_training_ops(tf.train.AdamOptimizer(0.001), loss)
    if not options.without:
        manager.prepare_training()
    x, y = digits(options.steps * options.batch)
    with session(options) as run:
        run.run(tf.global_variables_initializer())
        for i in range(options.steps):
            batch = slice(i * options.batch, (i + 1) * options.batch)
            fetches, feed = [loss, accuracy], {images: x[batch], labels: y[batch]}
            if options.without:
                _, (value, right) = run.run([manager.train_op, fetches], feed)
            else:
                value, right = manager.run_full_cycle(run, fetches, feed)
            print("step {}: loss {!r}, accuracy {:.2f}".format(i, float(value), right), flush=True)
    if not options.without:
        show(manager, options.batch)


if __name__ == "__main__":
    sys.exit(main())
