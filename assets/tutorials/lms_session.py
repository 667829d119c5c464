#!/usr/bin/env python3
"""Large model support in a program with a session: a network for MNIST, edited after it is built and before it runs.

    python lms_session.py                      trains with swapping, and draws what was done: lms_session.svg
    python lms_session.py --without            trains the same graph as it is
    python lms_session.py --auto --batch 100   looks for the parameters: for this network swapping is not necessary

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
from tensorflow_large_model_support import LMS


def weights(shape):
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def biases(size):
    return tf.Variable(tf.constant(0.1, shape=[size]))


def convolution(scope, inputs, channels_in, channels):
    with tf.name_scope(scope):
        filters, shift = weights([5, 5, channels_in, channels]), biases(channels)
        return tf.nn.relu(tf.nn.conv2d(inputs, filters, strides=[1, 1, 1, 1], padding="SAME") + shift)


def pool(scope, inputs):
    with tf.name_scope(scope):
        return tf.nn.max_pool(inputs, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


def build():
    """Two convolutions with pooling, two dense layers with dropout between them, Adam."""
    images = tf.placeholder(tf.float32, [None, 784])
    labels = tf.placeholder(tf.int64, [None])
    with tf.name_scope("reshape"):
        pictures = tf.reshape(images, [-1, 28, 28, 1])
    pooled = pool("pool1", convolution("conv1", pictures, 1, 32))
    pooled = pool("pool2", convolution("conv2", pooled, 32, 64))
    with tf.name_scope("fc1"):
        dense, shift = weights([7 * 7 * 64, 1024]), biases(1024)
        hidden = tf.nn.relu(tf.matmul(tf.reshape(pooled, [-1, 7 * 7 * 64]), dense) + shift)
    with tf.name_scope("dropout"):
        keep = tf.placeholder(tf.float32)
        hidden = tf.nn.dropout(hidden, keep)
    with tf.name_scope("fc2"):
        dense, shift = weights([1024, 10]), biases(10)
        logits = tf.matmul(hidden, dense) + shift
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits))
    with tf.name_scope("adam_optimizer"):
        step = tf.train.AdamOptimizer(1e-4).minimize(loss)
    with tf.name_scope("accuracy"):
        right = tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32)
    accuracy = tf.reduce_mean(right)
    return images, labels, keep, loss, step, accuracy


def edit(options):
    if options.auto:
        lms = LMS()
        lms.batch_size = options.batch
        lms.autotune_gpu_mem = 1
        lms.autotune_plot = "lms_autotune.svg"
    else:
        lms = LMS(swapout_threshold=50, swapin_ahead=3, swapin_groupby=2)
        lms.excl_output_by_scopes = {"loss", "accuracy", "dropout"}
    return lms.run(tf.get_default_graph())


def session(options):
    config = tf.ConfigProto()
    if options.exact:
        config.intra_op_parallelism_threads = config.inter_op_parallelism_threads = 1
        config.graph_options.rewrite_options.disable_meta_optimizer = True
    return tf.Session(config=config)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="store_true", help="do not edit the graph")
    parser.add_argument("--auto", action="store_true", help="look for the parameters")
    parser.add_argument("--exact", action="store_true", help="one thread, and no optimizer of TensorFlow's")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch", type=int, default=50)
    options = parser.parse_args()
    if hasattr(tf, "disable_v2_behavior"):
        tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.set_random_seed(1)
    images, labels, keep, loss, step, accuracy = build()
    added = set() if options.without else edit(options)
    x, y = digits(options.steps * options.batch)
    with session(options) as run:
        run.run(tf.global_variables_initializer())
        for i in range(options.steps):
            batch = slice(i * options.batch, (i + 1) * options.batch)
            value, _ = run.run([loss, step], {images: x[batch], labels: y[batch], keep: 0.5})
            print("step {}: loss {!r}".format(i, float(value)))
        print("accuracy {:.2f}, {} ops added".format(
            run.run(accuracy, {images: x[batch], labels: y[batch], keep: 1.0}), len(added)))
    tideline.view(batch_size=options.batch).save("lms_session.svg")
    print("lms_session.svg has levels and memory of the graph as it was trained; tideline.open() shows it in the app")


if __name__ == "__main__":
    sys.exit(main())
