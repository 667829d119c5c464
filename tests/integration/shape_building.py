"""What the files shape_networks.py and shape_ops.py build graphs with, and the list of all builders."""
import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

FUNCTIONAL = os.environ.get("TIDELINE_FUNCTIONAL") == "1"  # control flow as functions
tf.disable_eager_execution()
if not FUNCTIONAL:
    tf.disable_v2_behavior()
MODELS = []


def model(build):
    MODELS.append(build)
    return build


def train(loss, optimizer=None):
    optimizer = optimizer or tf.train.AdamOptimizer(0.1)
    return optimizer.minimize(loss)


def weights(*shape):
    return tf.get_variable(f"w{len(tf.global_variables())}", shape)


def mean_of(tensors):
    return tf.add_n([tf.reduce_mean(tf.cast(t, tf.float32)) for t in tensors])


def gradients_of(tensors, sources):
    """Gradients through everything that has one."""
    floats = [t for t in tensors if t.dtype in (tf.float32, tf.float64)]
    return tf.gradients([tf.reduce_sum(t) for t in floats], sources)
