"""Builds by CMake the program that the package carries, as a part of its files. The wheel is for any Python."""
import os
import pathlib
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

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
