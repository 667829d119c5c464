"""After `import tideline.compat`, programs that were written for the originals find Tideline's modules under their names.
Where an original is installed, its name stays its own, whichever is imported first.

    python -m tideline.compat PROGRAM [ARGUMENT...]    runs a program as it is
    PYTHONPATH=$(python -m tideline.compat) COMMAND    the same for programs that a command starts, such as cmake"""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import runpy
import sys

_ALIASES = {
    "tensorflow_large_model_support": "tideline.lms",
    "lms": "tideline.lms.v1",
    "partialflow": "tideline.sections",
    "tmci": "tideline.tmci",
}


def _ours(name):
    """The name of our module that is called `name` there; None if there is none."""
    top, _, below = name.partition(".")
    if top not in _ALIASES:
        return None
    ours = _ALIASES[top] + ("." + below if below else "")
    try:
        return ours if importlib.util.find_spec(ours) else None
    except ImportError:  # what is before the last dot is no package
        return None


class _Loader(importlib.abc.Loader):
    """The same module objects under a second name."""

    def create_module(self, spec):
        if spec.name == "tensorflow_large_model_support":
            # The original does this for whoever imports it, and programs for TensorFlow 2 rely on it.
            importlib.import_module("tensorflow.compat.v1").disable_v2_behavior()
        module = importlib.import_module(_ours(spec.name))
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec  # the import system has put the second name there


def _spec(name):
    ours = _ours(name)
    if ours is None:
        return None
    is_package = importlib.util.find_spec(ours).submodule_search_locations is not None
    return importlib.machinery.ModuleSpec(name, _Loader(), is_package=is_package)


class _Names(importlib.abc.MetaPathFinder):
    """Asked last: whatever else has such a name comes first."""

    def find_spec(self, name, path=None, target=None):
        return _spec(name) if "." not in name else None


class _Below(importlib.abc.MetaPathFinder):
    """Asked first, for modules below names that are ours: by their folder they would be found, and loaded, once more."""

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top == name or top not in _ALIASES:
            return None
        is_ours = top in sys.modules and sys.modules[top] is sys.modules.get(_ALIASES[top])
        return _spec(name) if is_ours else None


def stand_in(name):
    """Called by the modules of tideline.originals, which are found under the names of the originals: what comes behind their
    folder on the path, or else ours, takes their place."""
    others = [folder for folder in sys.path if os.path.abspath(folder) != _folder()]
    found = importlib.machinery.PathFinder.find_spec(name, others)
    if found is None:
        sys.modules[name] = importlib.import_module(_ALIASES[name])
        return
    sys.modules[name] = importlib.util.module_from_spec(found)
    found.loader.exec_module(sys.modules[name])


def _folder():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "originals")


def _main(words):
    if not words:
        print(_folder())
        return
    importlib.import_module("tideline.compat")  # under its own name, so that programs may import it, too
    sys.argv[:] = words
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    _main(sys.argv[1:])
else:
    sys.meta_path.insert(0, _Below())
    sys.meta_path.append(_Names())
