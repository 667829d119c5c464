"""Refuses tools that are too old to read pyproject.toml, with what to do; all else stands there."""
import setuptools

try:
    import wheel  # noqa: F401
except ImportError:
    raise SystemExit("the Python package 'wheel' is missing here: pip install wheel, or leave --no-build-isolation away")
if int(setuptools.__version__.partition(".")[0]) < 61:  # it would install an empty package UNKNOWN
    raise SystemExit("setuptools {} does not read pyproject.toml: pip install 'setuptools>=61', or leave --no-build-isolation away; "
                     "Python 3.9 or later is needed, too".format(setuptools.__version__))

setuptools.setup()
