"""Builds by CMake the program that the package carries, as a part of its files. The wheel is for any Python."""
import os
import pathlib
import subprocess

import setuptools
from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:
    raise SystemExit("the Python package 'wheel' is missing here: pip install wheel, or leave --no-build-isolation away")
if int(setuptools.__version__.partition(".")[0]) < 61:  # it would install an empty package UNKNOWN
    raise SystemExit("setuptools {} does not read pyproject.toml: pip install 'setuptools>=61', or leave --no-build-isolation away; "
                     "Python 3.9 or later is needed, too".format(setuptools.__version__))

HERE = pathlib.Path(__file__).resolve().parent


class Build(build_py):
    def run(self):
        super().run()
        build = pathlib.Path(self.get_finalized_command("build").build_temp).resolve() / "program"
        folder = (pathlib.Path(self.build_lib) / "tensorboard_plugin_tideline/bin").resolve()
        subprocess.run(["cmake", "-S", str(HERE), "-B", str(build), f"-DPROGRAM_FOLDER={folder}",
                        "-DCMAKE_BUILD_TYPE=" + os.environ.get("TIDELINE_BUILD_TYPE", "Release")], check=True)
        subprocess.run(["cmake", "--build", str(build), "-j", str(os.cpu_count() or 1)], check=True)


class Binary(Distribution):
    def has_ext_modules(self):
        """The program is for one kind of machine."""
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Binary)
