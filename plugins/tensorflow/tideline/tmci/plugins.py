"""Loads backends, and says which there are. Those of the package (file, safetensors, memory, dummy) need no loading."""
import ctypes
import os

from . import _host


def load(filename):
    """Loads a shared library with backends. The same file again, by any name, does nothing. OSError says what is wrong:
    no such file, no plugin, a symbol that it lacks, a backend whose name another plugin has."""
    path = _find(os.fspath(filename))
    code, text = _host.call("tideline_tmci_load_plugin", path.encode())
    if code != _host.OK and "undefined symbol" in text and "tensorflow" in text:
        _share_tensorflow()
        code, text = _host.call("tideline_tmci_load_plugin", path.encode())
    if code == _host.NOT_FOUND:
        raise FileNotFoundError(text)
    if code != _host.OK:
        raise OSError(text)


def _share_tensorflow():
    """A plugin that is linked to the library of the ops alone has TensorFlow's symbols from that. Where the linker leaves out
    libraries of which nothing is used directly (--as-needed), the plugin names none: TensorFlow's must then be visible to it."""
    import tensorflow as tf
    ctypes.CDLL(os.path.join(tf.sysconfig.get_lib(), "libtensorflow_framework.so.2"), mode=ctypes.RTLD_GLOBAL)


def loaded():
    """[{name, about, library, saves, loads, lists, is_async}] of all backends that were loaded, in that order."""
    found = []

    def visit(name, about, path, capabilities):
        found.append({"name": name.decode(), "about": about.decode(), "library": path.decode(),
                      "saves": bool(capabilities & 1), "loads": bool(capabilities & 2),
                      "lists": bool(capabilities & 4), "is_async": bool(capabilities & 8)})

    _host.check(_host.call("tideline_tmci_backends", _VISIT(visit)))
    return found


_VISIT = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint32)


def _find(filename):
    """A bare name is looked for here and then where the system looks for libraries, as by the dynamic linker."""
    if "/" in filename or os.path.exists(filename):
        return filename
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        path = os.path.join(folder, filename)
        if folder and os.path.exists(path):
            return path
    return filename
