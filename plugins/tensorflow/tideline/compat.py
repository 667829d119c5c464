"""After `import tideline.compat`, programs that were written for the originals find Tideline's modules under their names.
Where an original is installed, its name stays its own, whichever is imported first."""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
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


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The same module objects under a second name."""

    def find_spec(self, name, path=None, target=None):
        if _ours(name) is None or name.partition(".")[0] in _installed:
            return None
        is_package = importlib.util.find_spec(_ours(name)).submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(name, self, is_package=is_package)

    def create_module(self, spec):
        module = importlib.import_module(_ours(spec.name))
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec  # the import system has put the second name there


_installed = {name for name in _ALIASES if name in sys.modules or importlib.util.find_spec(name) is not None}
# The last in the row: whatever else has such a name comes first.
sys.meta_path.append(_Finder())
