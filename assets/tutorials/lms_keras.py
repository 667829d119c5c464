#!/usr/bin/env python3
"""Large model support in a program with Keras in graph mode: LMS is a callback, which edits the graph when training begins.

    python lms_keras.py              trains with swapping, and draws what was done: lms_keras.svg
    python lms_keras.py --without    trains the same graph as it is

TensorFlow 2.15 or 1.13, and the package tideline. With --exact the losses are the same bit for bit, with and without.
"""
import argparse
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow
import tensorflow.compat.v1 as tf

import tideline
from digits import digits
from tideline.lms import LMS

layers = tf.keras.layers


def model():
    return tf.keras.Sequential([
        layers.Reshape((28, 28, 1), input_shape=(784,)),
        layers.Conv2D(16, 5, strides=2, activation="relu"),
        layers.Conv2D(32, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(64, activation="relu"),
        layers.Dropout(0.25),
        layers.Dense(10, activation="softmax"),
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="store_true", help="do not edit the graph")
    parser.add_argument("--exact", action="store_true", help="one thread, and no optimizer of TensorFlow's")
    options = parser.parse_args()
    if not tensorflow.__version__.startswith("1."):
        tf.disable_eager_execution()  # eager code has no graph that could be edited
        tensorflow.keras.utils.set_random_seed(1)
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.set_random_seed(1)
    if options.exact:
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        tf.keras.backend.set_session(tf.Session(config=config))
    x, y = digits(1000)
    trained = model()
    trained.compile("adam", "sparse_categorical_crossentropy")
    callbacks = [] if options.without else [LMS(swapout_threshold=8, swapin_ahead=2, swapin_groupby=2)]
    history = trained.fit(x, y, batch_size=50, epochs=2, shuffle=False, verbose=0, callbacks=callbacks)
    for i, loss in enumerate(history.history["loss"]):
        print("epoch {}: loss {!r}".format(i, float(loss)))
    print("{} ops added".format(len([op for op in tf.get_default_graph().get_operations() if op.name.startswith("lms/")])))
    tideline.view(batch_size=50).save("lms_keras.svg")
    print("lms_keras.svg has levels and memory of the graph as it was trained")


if __name__ == "__main__":
    sys.exit(main())
