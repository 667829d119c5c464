"""Whether the ops of TensorFlow's memory optimizer, by which copy_mode="grappler" swaps, are there to be run."""
from ._tensorflow import tf
from .errors import Refused

_TYPES = ("_CopyFromGpuToHost", "_CopyFromHostToGpu")


def asked_for(words):
    """Whether the options of a rewriter ask for such ops."""
    return any(word.replace(" ", "=") in ("--copy-mode=grappler", "--mode=grappler") for word in map(str, words))


def check_plan(plan):
    """Errors: tideline.Refused for a plan that adds such ops where they cannot run."""
    links = plan["plans"] if plan["kind"] == "chain" else [plan]
    if any(added["op"] in _TYPES for link in links for added in link["added"]):
        check_here()


def check_here():
    """Errors: tideline.Refused for a TensorFlow that was built for CPUs, and for a machine without GPU."""
    from tensorflow.python.framework import op_def_registry
    find = getattr(op_def_registry, "get", None) or op_def_registry.get_registered_ops().get
    if any(find(name) is None for name in _TYPES):
        reason = "this TensorFlow ({}) was built without them".format(tf.__version__)
    elif not _has_gpu():
        reason = "no GPU was found"
    else:
        return
    raise Refused("copy_mode='grappler' swaps by {} and {}, which run on GPUs alone, and {}".format(*_TYPES, reason), 1)


def _has_gpu():
    if hasattr(tf, "config") and hasattr(tf.config, "list_physical_devices"):
        return bool(tf.config.list_physical_devices("GPU"))
    from .lms import _device_memory
    return _device_memory.of_gpu() is not None
