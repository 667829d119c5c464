"""After `import tideline.compat`, programs written for TMCI find it: `import tmci` gives tideline.tmci, and
`tmci.checkpoint` the module of that name there. Where the original is installed, nothing happens."""
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

_OURS = "tideline.tmci"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The same module objects under a second name."""

    def find_spec(self, name, path=None, target=None):
        if name != "tmci" and not name.startswith("tmci."):
            return None
        if importlib.util.find_spec(_OURS + name[len("tmci"):]) is None:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == "tmci")

    def create_module(self, spec):
        module = importlib.import_module(_OURS + spec.name[len("tmci"):])
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec  # the import system has put the second name there


def _install():
    if "tmci" in sys.modules or importlib.util.find_spec("tmci") is not None:
        return
    # The last in the row: whatever else is called tmci comes first.
    sys.meta_path.append(_Finder())


_install()
