#!/usr/bin/env python3
"""The wheel of the Python package: a program inside that needs the C library alone, a clean environment beside TensorFlow, and
nothing that stays behind. The wheel without ops is for any Python; that with ops has its own test (tensorflow_ops_test.py)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import common

BUILD = pathlib.Path(common.PROGRAM).parents[1]
PACKAGE = common.ROOT / "plugins/tensorflow"
TUTORIAL = common.ROOT / "assets/tutorials/lms_session.py"
SHOWS = """
import os, sys
import tideline, tideline.compat
from tideline import _program
assert _program.find() == os.path.join(os.path.dirname(tideline.__file__), "bin", "tideline"), _program.find()
for work, error, word in ((lambda: _program.find(display=True), tideline.ExecutableMissing, "PNG"),
                          (lambda: __import__("tmci").get_library(), ImportError, "TensorFlow 2.15")):
    try:
        work()
    except error as problem:
        assert word in str(problem), problem
    else:
        sys.exit("no " + error.__name__)
print("the program is", _program.find())
"""


def run(*words, code=0, cwd=None, **environment):
    plain = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, timeout=500, cwd=cwd,
                          stderr=subprocess.PIPE if code == 0 else subprocess.STDOUT,
                          env={**plain, "TF_CPP_MIN_LOG_LEVEL": "3", **environment})
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout[-3000:]}\n{(done.stderr or '')[-3000:]}"
    return done.stdout


def built(python, package, folder, wheels, code=0):
    """What `pip wheel` says of a copy of the package, with the setuptools that this Python has."""
    source = folder / f"source{len(list(folder.iterdir()))}"
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    return run(python, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
               "--disable-pip-version-check", "--wheel-dir", folder / wheels, source, code=code, TIDELINE_WITHOUT_OPS="1",
               CMAKE_PREFIX_PATH=str(folder / "stage"))


def make_wheel(folder, python=common.TENSORFLOW, wheels="wheels"):
    built(python, PACKAGE, folder, wheels)
    wheel, = (folder / wheels).iterdir()
    assert re.fullmatch(r"tideline-[\d.]+-py3-none-linux_\w+\.whl", wheel.name), wheel.name
    return wheel


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


def install(base, wheel, environment):
    run(base, "-m", "venv", environment)
    python = environment / "bin/python"
    before = files(environment)
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check", wheel)
    return python, before


def needs_the_c_library_alone(program):
    libraries = set(re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program)))
    assert libraries <= {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}, libraries


def works(python, environment, tensorflow, folder):
    """The tutorial by the program in the package: TensorFlow is taken from where it is installed."""
    print(run(python, "-c", SHOWS, PATH="/usr/bin:/bin", cwd=folder).strip(), flush=True)
    program, = environment.rglob("tideline/bin/tideline")
    needs_the_c_library_alone(program)
    others = run(tensorflow, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").strip()
    said = run(python, "-B", TUTORIAL, "--steps", 1, "--exact", PYTHONPATH=others, PATH="/usr/bin:/bin", cwd=folder)
    assert "13 ops added" in said and (folder / "lms_session.svg").exists(), said


def old_tools_build_the_same_or_say_what_is_missing(folder, wheel):
    """The setuptools that come with Python 3.7 built an empty UNKNOWN-0.0.0, without an error."""
    old = os.environ.get("TIDELINE_TF1_PYTHON")
    if not old:
        return
    version = int(run(old, "-c", "import setuptools; print(setuptools.__version__)").split(".")[0])
    assert make_wheel(folder, old, "old wheels").name == wheel.name, version
    tab = common.ROOT / "plugins/tensorboard"
    if version < 61:
        assert "does not read pyproject.toml" in built(old, tab, folder, "no wheels", code=1)
    run(old, "-m", "venv", folder / "bare")
    for package in (PACKAGE, tab):
        assert "pip install wheel" in built(folder / "bare/bin/python", package, folder, "no wheels", code=1)
    print("setuptools", version, "builds the same wheel")


def leaves_nothing(python, environment, before):
    run(python, "-m", "pip", "uninstall", "--yes", "--quiet", "tideline")
    left = {name for name in files(environment) - before if "__pycache__" not in name}
    assert not left and not list(environment.rglob("tideline*")), (left, list(environment.rglob("tideline*")))


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        run("cmake", "--install", BUILD, "--prefix", folder / "stage")
        wheel = make_wheel(folder)
        old_tools_build_the_same_or_say_what_is_missing(folder, wheel)
        print(wheel.name, f"{wheel.stat().st_size / 2**20:.1f} MiB", flush=True)
        for tensorflow in (common.TENSORFLOW, os.environ.get("TIDELINE_TF1_PYTHON")):
            if not tensorflow:
                print("not tried with TensorFlow 1.13: no Python 3.7 with it (TIDELINE_TF1_PYTHON)")
                continue
            environment = folder / f"environment{len(list(folder.iterdir()))}"
            python, before = install(tensorflow, wheel, environment)
            works(python, environment, tensorflow, folder)
            leaves_nothing(python, environment, before)


if __name__ == "__main__":
    sys.exit(main())
