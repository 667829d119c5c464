"""Tideline for Python: programs that train graphs of TensorFlow edit them by Tideline's rewriters, in place.

tideline.lms: large model support, version 2 (tideline.lms.v1: version 1).
tideline.sections: a step as a cycle of runs, which keep the activations of one section at a time.
tideline.replicate: a tower on every device, for Estimators and for graphs.
tideline.tmci: checkpoints of running programs through backends in shared libraries.
tideline.open, show, view, simulate: the app, its page, its pictures and its memory timeline, for a live graph.
tideline.fit, assert_fits, explain_oom: whether a training step fits a device, and what makes it fit; the same for tests, and
for training that runs out of memory.
tideline.export, plan, apply: a live graph as a MetaGraphDef, any rewriter's plan for it, and the edit.
tideline.compat: programs that import the originals of these get them from here.

Importing it imports the errors alone: not TensorFlow, and none of its parts.
"""
from .errors import (Error, ExecutableFailed, ExecutableMissing, ExecutableTooOld, GraphChanged, Refused,
                     UnsupportedGraph)

__version__ = "0.1.0"


def __getattr__(name):
    """What needs TensorFlow, when it is asked for."""
    import importlib
    for module, names in (("_live", {"export", "plan", "apply"}), ("_page", {"show", "Page"}),
                          ("_show", {"view", "simulate", "Picture", "Simulation"}),
                          ("_fit.fit", {"fit", "assert_fits", "Fit"}), ("_fit.oom", {"explain_oom"})):
        if name in names:
            return getattr(importlib.import_module("tideline." + module), name)
    if name == "open":
        return importlib.import_module("tideline._show").open_app
    raise AttributeError("module 'tideline' has no attribute {!r}".format(name))
