#!/usr/bin/env python3
"""Trains LeNet-5 for an epoch and saves it, during training and after it, through a backend; then loads it again.

    python lenet5_checkpoint.py                                      prints what a backend gets: addresses and sizes
    python lenet5_checkpoint.py --backend file --config /tmp/lenet5  keeps a TensorFlow checkpoint
    python lenet5_checkpoint.py --plugin libmine.so --backend mine   with a backend of your own

Needs TensorFlow 2.15 and the package of plugins/tensorflow. The pictures are made here: noise with a bright bar, whose
position is the label.
"""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers

from tideline.tmci import checkpoint, plugins

CLASSES = 10


def pictures(count, seed):
    random = np.random.default_rng(seed)
    labels = random.integers(0, CLASSES, count)
    images = random.uniform(0, 0.3, (count, 28, 28, 1)).astype(np.float32)
    for image, label in zip(images, labels):
        image[2 * label + 4:2 * label + 7] += 0.7
    return images, labels


def lenet5():
    model = Sequential([
        layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
        layers.Conv2D(64, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(128, activation="relu"),
        layers.Dense(CLASSES, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", help="shared library with the backend; not needed for those of Tideline")
    parser.add_argument("--backend", default="dummy")
    parser.add_argument("--config", default="", help="what the backend is told, for example where to save")
    parser.add_argument("--samples", type=int, default=640)
    options = parser.parse_args()

    if options.plugin:
        plugins.load(options.plugin)
    tf.keras.utils.set_random_seed(1)
    model = lenet5()
    images, labels = pictures(options.samples, seed=1)
    saving = checkpoint.CheckpointCallback(options.backend, options.config, frequency={"epoch": 1})
    model.fit(images, labels, batch_size=64, epochs=1, verbose=0, callbacks=[saving])

    before = model.evaluate(images, labels, verbose=0)
    step = int(model.optimizer.iterations)
    checkpoint.save_weights(model, options.backend, options.config, step=step)
    checkpoint.wait(options.backend, options.config)
    report = checkpoint.load_weights(model, options.backend, options.config, step=step)
    after = model.evaluate(images, labels, verbose=0)
    print(f"step {step}: {len(report.restored)} tensors, loss {before[0]:.6f}, after loading {after[0]:.6f}", flush=True)


if __name__ == "__main__":
    main()
