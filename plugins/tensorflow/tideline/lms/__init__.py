"""Large model support: tensors that are idle for long wait on the host, and come back before they are needed.

    from tideline.lms import LMS
    lms = LMS(swapout_threshold=50, swapin_ahead=3, swapin_groupby=2)
    lms.excl_output_by_scopes = {"loss", "accuracy"}
    lms.run()                                   # edits the default graph, before the first session runs it

The same object is a hook of an Estimator and a callback of Keras. Eager programs of TensorFlow 2 train through rewritten functions:

    tideline.lms.apply(model, device_memory="4GiB", batch_size=32)   # model.fit swaps, until tideline.lms.undo(model)
    step = tideline.lms.rewrite_function(step, ...)                  # any tf.function

(functions/). Names, defaults and behaviour are those of
version 2 of TensorFlow Large Model Support; `import tideline.compat` gives the module its name,
tensorflow_large_model_support. Version 1 is tideline.lms.v1; its names are here too, and LMS with its arguments is its LMS,
because both versions of the original are a package of that name.
"""
from ._version2 import LMS
from .v1 import LMSKerasCallback, LMSSessionRunHook

__all__ = ["LMS", "LMSKerasCallback", "LMSSessionRunHook"]


def __getattr__(name):
    """What needs TensorFlow 2, when it is asked for."""
    if name in ("Trace", "apply", "rewrite_function", "traces", "undo"):
        try:
            from . import functions
        except ImportError as problem:
            raise AttributeError("tideline.lms.{}: needs TensorFlow 2.15 or later: {}".format(name, problem)) from problem
        return getattr(functions, name)
    raise AttributeError("module 'tideline.lms' has no attribute {!r}".format(name))
