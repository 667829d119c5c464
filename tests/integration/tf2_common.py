"""What the tests of rewritten functions share: one thread, models and functions in two copies, and whether both did the same."""
import numpy as np
import tensorflow as tf

# Swaps in networks of a few layers; `keep_fusion` makes the bits the same with Grappler on.
POLICY = {"swapout_threshold": 3, "swapin_ahead": 2, "swapin_groupby": 1, "batch_size": 8}


def one_thread(grappler):
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    if not grappler:
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})


def bits(values):
    """The bytes of all tensors and variables in a structure."""
    return [np.asarray(value).tobytes() for value in tf.nest.flatten(values, expand_composites=True) if value is not None]


def state(model):
    """All values of a model of Keras, with its optimizer's and its metrics'."""
    kept = list(model.variables)
    for metric in getattr(model, "metrics", []):
        kept += list(metric.variables)
    for name in ("optimizer", "other_optimizer"):
        variables = getattr(getattr(model, name, None), "variables", [])
        kept += list(variables() if callable(variables) else variables)
    return bits([np.asarray(variable) for variable in kept])


class Net(tf.Module):
    """Five layers and plain gradient descent."""

    def __init__(self):
        super().__init__()
        tf.random.set_seed(3)
        made = np.random.RandomState(1)
        self.weights = [tf.Variable(made.randn(16, 16).astype("f") / 4) for _ in range(4)] + [tf.Variable(made.randn(16, 1).astype("f"))]
        self.steps = tf.Variable(0, dtype=tf.int64)

    def loss(self, x, y):
        for weight in self.weights[:-1]:
            x = tf.nn.elu(tf.matmul(x, weight))
        return tf.reduce_mean((tf.matmul(x, self.weights[-1]) - y) ** 2)

    def update(self, x, y, rate=0.01):
        with tf.GradientTape() as tape:
            loss = self.loss(x, y)
        for variable, gradient in zip(self.weights, tape.gradient(loss, self.weights)):
            variable.assign_sub(rate * gradient)
        self.steps.assign_add(1)
        return loss

    def state(self):
        return bits([variable.numpy() for variable in self.weights + [self.steps]])


_random = np.random.RandomState(0)
X = _random.rand(8, 16).astype("f")
Y = _random.rand(8, 1).astype("f")
