#!/usr/bin/env python3
"""Keras's fit under a budget: how much device memory a step needs, the largest tensors then, and the same training in less.

    python lms_fit.py                    for a budget of 90 % of what a step needs
    python lms_fit.py --memory 40MiB     for another
    python lms_fit.py --without          trains as it is

TensorFlow 2.15 with Keras 2, or a newer one with Keras 3, and the package tideline. Losses are the same bit for bit, with and without.
"""
import argparse
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import tensorflow as tf

import tideline.lms
from digits import digits

layers = tf.keras.layers
BATCH = 50


def model():
    tf.keras.utils.set_random_seed(1)
    made = tf.keras.Sequential([
        tf.keras.Input((784,)),
        layers.Reshape((28, 28, 1)),
        layers.Conv2D(16, 5, activation="relu"),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(64, activation="relu"),
        layers.Dense(10, activation="softmax"),
    ])
    # XLA, which Keras 3 takes on GPUs by itself, removes copies to the host.
    made.compile("adam", "sparse_categorical_crossentropy", jit_compile=False)
    return made


def needed(trained, x, y):
    """Bytes of the device that a step needs as it is: a threshold that no distance reaches plans no swaps."""
    tideline.lms.apply(trained, swapout_threshold=10000, swapin_ahead=1, swapin_groupby=0, batch_size=BATCH)
    trained.train_on_batch(x[:BATCH], y[:BATCH])
    trace, = tideline.lms.traces(trained)
    tideline.lms.undo(trained)
    return trace.predicted["device_peak_bytes_before"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", help="the budget, as in 40MiB")
    parser.add_argument("--without", action="store_true", help="train as it is")
    options = parser.parse_args()
    x, y = digits(1000)
    peak = needed(model(), x, y)
    print("a step needs {:.1f} MiB of the device".format(peak / 2 ** 20))
    trained = model()
    if not options.without:
        tideline.lms.apply(trained, device_memory=options.memory or int(0.9 * peak), batch_size=BATCH)
    history = trained.fit(x, y, batch_size=BATCH, epochs=2, shuffle=False, verbose=0)
    for i, loss in enumerate(history.history["loss"]):
        print("epoch {}: loss {!r}".format(i, float(loss)))
    if not options.without:
        trace = tideline.lms.traces(trained)[-1]
        print("swaps: {}, at most {:.1f} MiB".format(len(trace.plan["swaps"]), trace.predicted["device_peak_bytes"] / 2 ** 20))
        trace.view().save("lms_fit.svg")
        print("lms_fit.svg has levels and memory of the step as it is trained")


if __name__ == "__main__":
    sys.exit(main())
