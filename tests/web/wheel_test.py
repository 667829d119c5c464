#!/usr/bin/env python3
"""The wheel of the tab, and that of the program which it depends on: small, with a program that needs the C library alone; installed
beside TensorBoard they are its tab, and uninstalled they leave nothing."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile

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


def make_wheel(folder, package, name):
    shutil.copytree(PLUGINS / package, folder / "source" / package,
                    ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
        "--disable-pip-version-check", "--wheel-dir", folder / package, folder / "source" / package,
        CMAKE_PREFIX_PATH=str(folder / "stage"), TIDELINE_WITHOUT_OPS="1")
    wheel, = (folder / package).iterdir()
    assert re.fullmatch(name, wheel.name), wheel.name
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB", flush=True)
    return wheel


def make_wheels(folder):
    """One carries the program, the other is for any machine and asks for the first."""
    run("cmake", "--install", common.BUILD, "--prefix", folder / "stage")
    program = make_wheel(folder, "tensorflow", r"tideline-[\d.]+-py3-none-linux_\w+\.whl")
    tab = make_wheel(folder, "tensorboard", r"tensorboard_plugin_tideline-[\d.]+-py3-none-any\.whl")
    assert program.stat().st_size <= MOST_BYTES and tab.stat().st_size <= 100_000
    with zipfile.ZipFile(tab) as archive:
        metadata, = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        asked = re.sub(r"[ ()]", "", archive.read(metadata).decode())  # older tools write blanks and parentheses
        assert f"Requires-Dist:tideline=={program.name.split('-')[1]}\n" in asked, asked
    return program, tab


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
    program, = environment.rglob("tideline/bin/tideline")
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
        wheels, environment = make_wheels(folder), folder / "environment"
        python = beside_tensorboard(environment)
        before = files(environment)
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check", *wheels)
        is_the_tab(python, environment, folder)
        run(python, "-m", "pip", "uninstall", "--yes", "--quiet", "tensorboard-plugin-tideline", "tideline")
        left = {path for path in files(environment) - before if "__pycache__" not in path}
        assert not left and not list(environment.rglob("*tideline*")), left


if __name__ == "__main__":
    sys.exit(main())
