"""Builds by CMake the program, and where TensorFlow 2.15 is installed the ops, with the flags that it gives. What
tensorflow.json says takes the place of these: libraries, library_dirs, include_dirs, extra_cxxflags; null asks TensorFlow.

TIDELINE_PROGRAM names a program that is built: then the wheel has it, without ops, and TIDELINE_PLATFORM is its tag
(plugins/wheels/build)."""
import importlib.util
import json
import os
import pathlib
import shlex
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:
    raise SystemExit("the Python package 'wheel' is missing here: pip install wheel, or leave --no-build-isolation away")

HERE = pathlib.Path(__file__).resolve().parent
KEYS = ("libraries", "library_dirs", "include_dirs", "extra_cxxflags")


def flags_of_tensorflow():
    """The same four lists, as the TensorFlow that is installed gives them."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf
    compile_flags, link_flags = tf.sysconfig.get_compile_flags(), tf.sysconfig.get_link_flags()
    return {"libraries": [flag[2:] for flag in link_flags if flag.startswith("-l")],
            "library_dirs": [flag[2:] for flag in link_flags if flag.startswith("-L")],
            "include_dirs": [flag[2:] for flag in compile_flags if flag.startswith("-I")],
            "extra_cxxflags": [flag for flag in compile_flags if not flag.startswith("-I")]}


def has_tensorflow():
    """Whether the ops are built: they are for one version of TensorFlow, which need not be there if all flags are given."""
    if os.environ.get("TIDELINE_WITHOUT_OPS") or os.environ.get("TIDELINE_PROGRAM"):
        return False
    given = json.loads((HERE / "tensorflow.json").read_text(encoding="utf-8"))
    if all(given.get(key) is not None for key in KEYS):
        return True
    if importlib.util.find_spec("tensorflow") is None:
        return False
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf
    return tf.__version__.startswith("2.15.")


def flags():
    given = json.loads((HERE / "tensorflow.json").read_text(encoding="utf-8"))
    for key, value in given.items():
        if key not in KEYS or not (value is None or isinstance(value, list) and all(isinstance(v, str) for v in value)):
            raise SystemExit(f"tensorflow.json: '{key}': expected a list of strings or null under one of {', '.join(KEYS)}")
    given = {key: given.get(key) for key in KEYS}
    if None in given.values():
        asked = flags_of_tensorflow()
        # Flags are added to TensorFlow's: without its standard and ABI nothing would fit.
        given["extra_cxxflags"] = asked["extra_cxxflags"] + (given["extra_cxxflags"] or [])
        given = {key: asked[key] if value is None else value for key, value in given.items()}
    return given


class Build(build_ext):
    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        program = target.parent.parent / "bin"
        if os.environ.get("TIDELINE_PROGRAM"):
            program.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.environ["TIDELINE_PROGRAM"], str(program / "tideline"))
            return
        build = pathlib.Path(self.build_temp).resolve() / "ops"
        suffix = target.name[target.name.index("."):]
        command = ["cmake", "-S", HERE, "-B", build, "-DOPS_FOLDER={}".format(target.parent), "-DOPS_SUFFIX=" + suffix,
                   "-DPROGRAM_FOLDER={}".format(program),
                   "-DCMAKE_BUILD_TYPE=" + os.environ.get("TIDELINE_BUILD_TYPE", "Release")]
        if has_tensorflow():
            found = flags()
            command += ["-DTENSORFLOW_FLAGS=" + " ".join(map(shlex.quote, found["extra_cxxflags"])),
                        "-DTENSORFLOW_INCLUDE_DIRS=" + ";".join(found["include_dirs"]),
                        "-DTENSORFLOW_LIBRARY_DIRS=" + ";".join(found["library_dirs"]),
                        "-DTENSORFLOW_LIBRARIES=" + ";".join(found["libraries"])]
        else:
            print("TensorFlow 2.15 is not installed here: the package comes without the ops of tideline.tmci")
            command.append("-DBUILD_OPS=OFF")
        subprocess.run(list(map(str, command)), check=True)
        subprocess.run(["cmake", "--build", str(build), "-j", str(os.cpu_count() or 1)], check=True)


class Wheel(bdist_wheel):
    def get_tag(self):
        """Without the ops, any Python can have it."""
        python, abi, platform = super().get_tag()
        return (python, abi, platform) if has_tensorflow() else ("py3", "none", os.environ.get("TIDELINE_PLATFORM") or platform)


setup(ext_modules=[Extension("tideline.tmci._tmci_ops", sources=[])], cmdclass={"build_ext": Build, "bdist_wheel": Wheel})
