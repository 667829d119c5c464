"""Tideline for Python: programs that train graphs of TensorFlow edit them by Tideline's rewriters, in place.

tideline.tmci: checkpoints of running programs through backends in shared libraries.
tideline.compat: programs that say `import tmci` get that instead.

Importing it imports the errors alone: not TensorFlow, and none of its parts.
"""
from .errors import (Error, ExecutableFailed, ExecutableMissing, ExecutableTooOld, GraphChanged, Refused,
                     UnsupportedGraph)

__version__ = "0.1.0"
