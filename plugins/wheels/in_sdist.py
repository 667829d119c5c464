"""The build backend of the sdist: that of setuptools, in the folder of the package."""
import os
import shutil

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tensorflow"))
for _name in ("LICENSE", "NOTICE"):
    shutil.copy(os.path.join(os.pardir, os.pardir, _name), ".")

from setuptools.build_meta import *  # noqa: E402,F401,F403
