"""What the tests of tideline.tmci in a TensorFlow process have in common: models, and what is printed or refused."""
import os
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from tensorflow import keras


class printed:
    """What is printed meanwhile, by C++ too."""

    def __enter__(self):
        sys.stdout.flush()
        self.kept, self.file = os.dup(1), tempfile.TemporaryFile("w+")
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        os.dup2(self.kept, 1)
        os.close(self.kept)
        self.file.seek(0)
        self.lines = self.file.read().splitlines()


def refused(error, work, *words):
    """`work` fails with `error`, whose text has all words."""
    try:
        work()
    except error as problem:
        text = str(problem)
        assert all(word in text for word in words), text
        return text
    raise AssertionError(f"expected {error.__name__} with {words}")


def variable(values, **more):
    return tf.Variable(tf.constant(values, tf.float32), **more)


def small_model(units=3, optimizer="adam", seed=1):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([keras.layers.Dense(units, input_shape=(4,)), keras.layers.Dense(2)])
    model.compile(optimizer, "mse")
    return model


def train(model, batches=3, **more):
    random = np.random.default_rng(0)
    model.fit(random.normal(size=(8 * batches, 4)).astype("f"), random.normal(size=(8 * batches, 2)).astype("f"),
              batch_size=8, verbose=0, shuffle=False, **more)


def values(model):
    optimizer = model.optimizer.variables
    return [v.numpy() for v in model.weights + list(optimizer() if callable(optimizer) else optimizer)]


def equal(first, second):
    return len(first) == len(second) and all(np.array_equal(a, b) for a, b in zip(first, second))
