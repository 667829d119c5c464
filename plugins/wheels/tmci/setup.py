"""Packs what plugins/wheels/ops has put into tideline_tmci_ops; nothing is compiled. TIDELINE_PLATFORM is the tag."""
import os
import pathlib

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

if not (pathlib.Path(__file__).resolve().parent / "tideline_tmci_ops/_tmci_ops.so").exists():
    raise SystemExit("there are no ops to pack: plugins/wheels/build makes this wheel")


class WithLibraries(Distribution):
    def has_ext_modules(self):
        """It is for one platform, although nothing is compiled here."""
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        """TensorFlow loads the ops, not Python: any Python can have them that its TensorFlow is for."""
        return ("py3", "none", os.environ["TIDELINE_PLATFORM"])


setup(distclass=WithLibraries, cmdclass={"bdist_wheel": Wheel})
