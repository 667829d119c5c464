#!/usr/bin/env python3
"""The wheel of the tab: small, with a program inside that needs the C library alone; installed beside TensorBoard it is its tab,
and uninstalled it leaves nothing."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

import board
import common

PLUGINS = common.ROOT / "plugins"
# What users install has 5 MB at most; the program of a Debug build is larger by a third.
IS_RELEASE = "CMAKE_BUILD_TYPE:STRING=Release" in (common.BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
MOST_BYTES = 5_000_000 if IS_RELEASE else 6_800_000


def run(*words, **environment):
    plain = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=250, env={**plain, **environment})
    assert done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def make_wheel(folder):
    run("cmake", "--install", common.BUILD, "--prefix", folder / "stage")
    shutil.copytree(PLUGINS / "tensorboard", folder / "source/tensorboard",
                    ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    (folder / "source/tensorflow").mkdir()
    shutil.copy(PLUGINS / "tensorflow/program.cmake", folder / "source/tensorflow")
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
        "--disable-pip-version-check", "--wheel-dir", folder / "wheels", folder / "source/tensorboard",
        CMAKE_PREFIX_PATH=str(folder / "stage"))
    wheel, = (folder / "wheels").iterdir()
    assert re.fullmatch(r"tensorboard_plugin_tideline-[\d.]+-py3-none-linux_\w+\.whl", wheel.name), wheel.name
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
    assert wheel.stat().st_size <= MOST_BYTES
    return wheel


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


def beside_tensorboard(environment):
    """A clean environment that sees the packages of the one that the tests run in."""
    run(sys.executable, "-m", "venv", environment)
    packages, = environment.glob("lib/python*/site-packages")
    others = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "beside.pth").write_text("\n".join(others) + "\n", encoding="utf-8")
    return environment / "bin/python"


def is_the_tab(python, environment, folder):
    program, = environment.rglob("bin/tideline")
    libraries = set(re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program)))
    assert libraries <= {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}, libraries
    with board.TensorBoard(python, folder, "--logdir", common.DATA / "logs", plugin=False, program="") as served:
        about = json.loads(urllib.request.urlopen(served.url + "data/plugin/tideline/about").read())
        assert about["plugin"] is True and about["may_write"] is False, about
        started = [path for path in pathlib.Path("/proc").glob("[0-9]*/exe") if board.link_of(path) == str(program)]
        assert len(started) == 1, started


def main():
    common.enter("latest", browser=False)
    with common.temporary_folder() as name:
        folder = pathlib.Path(name).resolve()
        wheel, environment = make_wheel(folder), folder / "environment"
        python = beside_tensorboard(environment)
        before = files(environment)
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check", wheel)
        is_the_tab(python, environment, folder)
        run(python, "-m", "pip", "uninstall", "--yes", "--quiet", "tensorboard-plugin-tideline")
        left = {path for path in files(environment) - before if "__pycache__" not in path}
        assert not left and not list(environment.rglob("*tideline*")), left


if __name__ == "__main__":
    sys.exit(main())
