"""Checkpoints of running TensorFlow programs: backends in shared libraries get tensors where they lie.

    from tideline.tmci import checkpoint
    checkpoint.save_weights(model, backend="file", config="/data/model")
    checkpoint.load_weights(model, backend="file", config="/data/model")

Modules: checkpoint (Keras models), ops (single tensors), plugins (loading backends). Interface and behaviour follow TMCI;
what differs is in the README of the package.
"""
import os
import pathlib

_HERE = pathlib.Path(__file__).resolve().parent


def get_library_dir():
    """The folder of the library with the ops, for linking a plugin to it."""
    return str(_HERE)


def get_library():
    """The name of that library."""
    found = sorted(_HERE.glob("_tmci_ops.*"))
    if not found:
        raise ImportError(f"{_HERE}: there is no library _tmci_ops: this package was built without TensorFlow 2.15. Install that, "
                          "then the package from its sources: pip install --no-build-isolation plugins/tensorflow")
    return os.path.basename(found[0])


def get_include():
    """The folder with tmci/backend.hpp and core/checkpoint/backend_abi.h, for writing plugins."""
    return str(_HERE / "include")
