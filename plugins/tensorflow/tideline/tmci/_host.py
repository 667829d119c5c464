"""The library: its ops by TensorFlow, its other functions by ctypes."""
import atexit
import collections
import ctypes
import os
import sys

import tensorflow as tf

from . import check_tensorflow, get_library, get_library_dir

check_tensorflow(tf.__version__)
_PATH = os.path.join(get_library_dir(), get_library())
library = tf.load_op_library(_PATH)
_functions = ctypes.CDLL(_PATH)  # the same one, which has to be TensorFlow's first: it learns then which ops there are
OK, NOT_FOUND, UNSUPPORTED = 0, 2, 4
_ERRORS = {1: tf.errors.InvalidArgumentError, 2: tf.errors.NotFoundError, 3: tf.errors.DataLossError,
           4: tf.errors.UnimplementedError, 6: tf.errors.CancelledError}

Stored = collections.namedtuple("Stored", "name dtype shape bytes")


def call(function, *arguments):
    """(code, text) of a function whose last parameters are room for the text."""
    text = ctypes.create_string_buffer(1024)
    code = getattr(_functions, function)(*arguments, text, ctypes.c_size_t(len(text)))
    return code, text.value.decode(errors="replace")


def check(answer):
    code, text = answer
    if code != OK:
        raise _ERRORS.get(code, tf.errors.InternalError)(None, None, text)


class _Tensor(ctypes.Structure):
    """TidelineTensor of core/checkpoint/backend_abi.h."""
    _fields_ = [("struct_size", ctypes.c_uint32), ("dtype", ctypes.c_uint32), ("name", ctypes.c_void_p),
                ("name_size", ctypes.c_size_t), ("dims", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_uint32),
                ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("reserved", ctypes.c_uint32),
                ("data", ctypes.c_void_p), ("bytes", ctypes.c_uint64), ("native", ctypes.c_void_p),
                ("native_type", ctypes.c_char_p)]


_VISIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Tensor))


def listing(backend, config, step=None):
    """{name: Stored} of what a backend keeps; None if it cannot tell."""
    found = {}

    def visit(_, tensor):
        one = tensor.contents
        name = ctypes.string_at(one.name, one.name_size).decode(errors="surrogateescape") if one.name else ""
        found[name] = Stored(name, tf.dtypes.as_dtype(one.dtype), tuple(one.dims[:one.rank]), one.bytes)
        return 0

    code, text = call("tideline_tmci_list", backend.encode(), config.encode(),
                      ctypes.c_int64(-1 if step is None else step), _VISIT(visit))
    if code == UNSUPPORTED:
        return None
    check((code, text))
    return found


def wait(backend, config):
    check(call("tideline_tmci_wait", backend.encode(), config.encode()))


_PROCESS = os.getpid()


@atexit.register
def _close():
    """Saves that go on in the background end before the process does. (One that was forked has none.)"""
    if os.getpid() != _PROCESS:
        return
    code, text = call("tideline_tmci_close")
    if code != OK:
        print("tideline: a save in the background failed:", text, file=sys.stderr)
