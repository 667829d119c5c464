"""Checkpoints of running TensorFlow programs: backends in shared libraries get tensors where they lie.

    from tideline.tmci import checkpoint
    checkpoint.save_weights(model, backend="file", config="/data/model")
    checkpoint.load_weights(model, backend="file", config="/data/model")

Modules: checkpoint (Keras models), ops (single tensors), plugins (loading backends). Interface and behaviour follow TMCI;
what differs is in the README of the package.
"""
import importlib.util
import os
import pathlib

_HERE = pathlib.Path(__file__).resolve().parent


def _folder():
    """Where the library is: here, if the package was built beside TensorFlow, or in the package of the ops alone."""
    if not any(_HERE.glob("_tmci_ops.*")):
        found = importlib.util.find_spec("tideline_tmci_ops")
        if found is not None and found.origin:
            return pathlib.Path(found.origin).resolve().parent
    return _HERE


def get_library_dir():
    """The folder of the library with the ops, for linking a plugin to it."""
    return str(_folder())


def get_library():
    """The name of that library."""
    found = sorted(_folder().glob("_tmci_ops.*"))
    if not found:
        raise ImportError(f"{_HERE}: there is no library _tmci_ops: this package was built without TensorFlow 2.15. Install that, and the "
                          "wheel of the ops, tideline-tmci-tf215, or the package from its sources: "
                          "pip install --no-build-isolation plugins/tensorflow")
    return os.path.basename(found[0])


def get_include():
    """The folder with tmci/backend.hpp and core/checkpoint/backend_abi.h, for writing plugins."""
    return str(_folder() / "include")


def check_tensorflow(version):
    """ImportError where the ops of the package of their own are for another TensorFlow: loading them would end in missing symbols."""
    if _folder() == _HERE:
        return
    import tideline_tmci_ops
    if not version.startswith(tideline_tmci_ops.TENSORFLOW + "."):
        raise ImportError(f"the ops of tideline.tmci that are installed are for TensorFlow {tideline_tmci_ops.TENSORFLOW}, "
                          f"not {version}: install the wheel tideline-tmci-tf... of that, or the package from its sources")
