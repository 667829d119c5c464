"""The device that ran out of memory, and how much it has."""
import os
import re

from .._tensorflow import tf
from ..lms import _device_memory

_NAMED = re.compile(r"device:([A-Z]+):(\d+)")
_DEFAULT = "v100"


def of(error, device):
    """(device and further options for tideline.fit, what is said about it). `device`: what explain_oom was given."""
    if device is not None:
        return device, {}, "device={!r}".format(device)
    named = _NAMED.search(getattr(error, "message", None) or str(error))
    kind = named.group(1) if named else None
    if kind == "CPU":
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return memory, {"executor": "cpu"}, "that of this machine, whose CPU ran out of it"
    memory = _of_gpu(int(named.group(2))) if kind == "GPU" else None
    if memory is not None:
        return memory, {"executor": "gpu"}, "that of GPU {}".format(named.group(2))
    return _DEFAULT, {}, "that of a {}, assumed: the error names no device whose memory is known; give device=".format(_DEFAULT)


def _of_gpu(number):
    """Bytes: the limit that the program has set, else what the driver says of the GPU that has the fewest."""
    limit = _limit(number)
    return limit if limit is not None else _device_memory.of_gpu("memory.total")


def _limit(number):
    try:
        gpu = tf.config.list_physical_devices("GPU")[number]
        limits = [logical.memory_limit for logical in tf.config.get_logical_device_configuration(gpu) or []]
    except (AttributeError, IndexError, RuntimeError, ValueError):  # TensorFlow 1.13 has no such functions
        return None
    return int(limits[0] * 2 ** 20) if limits and limits[0] else None
