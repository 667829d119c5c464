"""Callbacks of Keras in eager mode, where what is edited are traces of the model's step (functions/), not a graph."""
from .._tensorflow import tf

BACKWARD = "gradient_tape"  # the scope of the ops that a tf.GradientTape makes


def is_eager(model):
    """Whether the model is of eager TensorFlow 2: those of graph mode make a train function that sessions run."""
    return tf.executing_eagerly() and not hasattr(type(model), "_make_train_function")


def rewriting(lms, mode, words):
    """For an object LMS of one of both versions, whose options are `words`. Results stay the same bits, unless it says otherwise."""
    from .functions.rewriting import Rewriting
    return Rewriting(mode, words + (["--keep-fusion"] if lms.keep_fusion is None else []))


def install(model, rewriting):
    """As tideline.lms.apply; once, when a callback is used for several fits."""
    from .functions import keras, refusals
    refusals.check_model(model)
    before = getattr(vars(model).get("train_step"), "tideline", None)
    if before is None or not before.is_like(rewriting):
        keras.install(model, rewriting)
