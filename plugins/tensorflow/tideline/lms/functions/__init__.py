"""Functions of TensorFlow 2 and steps of Keras models with swaps: what eager programs train by.

    import tideline.lms
    tideline.lms.apply(model, swapout_threshold=50, swapin_ahead=3, swapin_groupby=2)
    model.fit(x, y)                                       # through a rewritten step
    step = tideline.lms.rewrite_function(step, ...)       # any tf.function

Each trace that TensorFlow makes is exported, planned by the program `tideline` and built with its swaps; TensorFlow's own cache
decides when there is another. keras.py and wrapped.py are the two ways in; rewriting.py does a trace; build.py makes the
ConcreteFunction.
"""
from .keras import apply, undo
from .rewriting import Trace
from .wrapped import rewrite_function, traces

__all__ = ["Trace", "apply", "rewrite_function", "traces", "undo"]
