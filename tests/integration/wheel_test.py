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
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=500, cwd=cwd,
                          env={**plain, "TF_CPP_MIN_LOG_LEVEL": "3", **environment})
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def make_wheel(folder):
    run("cmake", "--install", BUILD, "--prefix", folder / "stage")
    source = folder / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    run(common.TENSORFLOW, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
        "--disable-pip-version-check", "--wheel-dir", folder / "wheels", source, TIDELINE_WITHOUT_OPS="1",
        CMAKE_PREFIX_PATH=str(folder / "stage"))
    wheel, = (folder / "wheels").iterdir()
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


def leaves_nothing(python, environment, before):
    run(python, "-m", "pip", "uninstall", "--yes", "--quiet", "tideline")
    left = {name for name in files(environment) - before if "__pycache__" not in name}
    assert not left and not list(environment.rglob("tideline*")), (left, list(environment.rglob("tideline*")))


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        wheel = make_wheel(folder)
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
