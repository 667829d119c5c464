"""Tideline for Python. This package itself imports nothing: not TensorFlow, and none of its parts.

tideline.tmci: checkpoints of running programs through backends in shared libraries.
tideline.compat: programs that say `import tmci` get that instead.
"""
__version__ = "0.1.0"
