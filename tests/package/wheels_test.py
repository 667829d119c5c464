#!/usr/bin/env python3
"""What plugins/wheels/build makes of a release build, and where it runs. Wheels: tagged for an old glibc and true to it, a program that
starts on Debian 11 and 12 and with every Python from 3.7 on that this machine has. The tarball: a window on Debian 11 and 12. Both the
same bytes when linked and packed once more. Debian 11 has glibc 2.31; that 2.28 suffices is proved by symbols alone.

    wheels_test.py [BUILD]        BUILD: a build folder whose objects are linked instead of those of build/package

What is made stays in build/wheels/out."""
import glob
import os
import pathlib
import re
import shutil
import sys
import tempfile
import zipfile

import roots
import tarball

SCRIPT = roots.ROOT / "plugins/wheels/build"
GRAPH = roots.ROOT / "assets/samples/residual.meta"
MOST = (2, 28)
LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2"}
# The packages whose texts are in the wheel, by the libraries of assets/docs/licences.md.
TEXTS = {"protobuf": "libprotobuf-dev", "nlohmann-json": "nlohmann-json3-dev", "CLI11": "libcli11-dev", "tl::expected": "libexpected-dev",
         "xxHash": "libxxhash-dev", "fmt": "libfmt-dev", "nettle": "nettle-dev", "Boost.Beast and what it includes": "libboost1.74-dev",
         "zlib": "zlib1g-dev", "minizip": "libminizip-dev", "Snappy": "libsnappy-dev", "RE2": "libre2-dev", "libstdc++": "libgcc-s1",
         "libgcc": "libgcc-s1", "cmark-gfm": "libcmark-gfm-dev"}
PACKAGES = ["python3", "python3-pip", *tarball.PACKAGES]
SUITES = ("bullseye", "bookworm")


def build(folder):
    """The files: the wheel of the program, that of the tab, the sdist, the tarball, and the wheel of the ops where TensorFlow is."""
    roots.run(SCRIPT, folder, *sys.argv[1:], timeout=7000)
    program, = folder.glob("tideline-*-py3-none-manylinux_2_*_x86_64.whl")
    tab, = folder.glob("tensorboard_plugin_tideline-*-py3-none-any.whl")
    window, = folder.glob("tideline-*-linux-x86_64.tar.gz")
    sdist = folder / window.name.replace("-linux-x86_64", "")
    ops = list(folder.glob("tideline_tmci_tf*-py3-none-manylinux_2_*_x86_64.whl"))
    assert len(ops) == 1 or not os.environ.get("TIDELINE_TF_PYTHON"), ops
    made = [program, tab, sdist, window, *ops]
    listed = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert sorted(line.split()[1] for line in listed) == sorted(path.name for path in made)
    roots.run("sha256sum", "--check", "SHA256SUMS", cwd=folder)
    return made


def needs_no_more_than_the_tag_says(wheel, folder):
    said = roots.run(roots.WORK / "venv/bin/auditwheel", "show", wheel)
    tag = re.search(r'platform\s+tag:\s+"manylinux_2_(\d+)_x86_64"', said)
    assert tag and (2, int(tag[1])) <= MOST, said
    with zipfile.ZipFile(wheel) as archive:
        program = pathlib.Path(archive.extract("tideline/bin/tideline", folder))
    versions = {tuple(map(int, version.split("."))) for version in
                re.findall(r"GLIBC_([\d.]+)", roots.run("readelf", "--version-info", "--wide", program))}
    assert versions and max(versions) <= MOST, versions
    assert not re.search(r"GLIBCXX_|CXXABI_|GCC_", roots.run("readelf", "--version-info", "--wide", program))
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", roots.run("readelf", "--dynamic", program)))
    assert needed <= LIBRARIES, needed
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB, glibc {'.'.join(map(str, max(versions)))}", flush=True)


def answers_as_the_other_link():
    """All golden command lines: what stands in older_glibc.c does what the functions of a later glibc do."""
    print(roots.run(sys.executable, "-B", roots.ROOT / "tests/golden/run.py", roots.WORK / "tideline").strip(), flush=True)


def texts_of_the_program():
    """The files of licences that belong to what is inside the program of the wheel."""
    rows = [line.strip("| \n").split(" | ") for line in
            (roots.ROOT / "assets/docs/licences.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    inside = [library for row in rows if re.search("statically|headers only", row[-1]) and "desktop app" not in row[-1]
              for library in row[0].split(", ")]
    assert len(inside) >= len(TEXTS), inside
    return {TEXTS[library] + ".txt" for library in inside}


def says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name, = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        about, names = archive.read(name).decode(), archive.namelist()
        assert not [info for info in archive.infolist() if info.date_time[0] < 2020]
    for words in ("License: Apache-2.0", "Classifier: ", "Keywords: ", "Summary: ", "Requires-Python: "):
        assert f"\n{words}" in about, (words, about[:2000])
    inside = ("LICENSE", "NOTICE", *(("licences.md", *texts_of_the_program()) if "manylinux" in wheel.name else ()))
    for licence in inside:
        assert any(re.search(rf"\.dist-info/(\w+/)*{re.escape(licence)}$", name) for name in names), names


def starts(run, command):
    """`run` runs words where the wheel is installed as `command`."""
    version = run(command, "--version")
    assert re.fullmatch(r"tideline \d+\.\d+\.\d+\s*", version), version
    said = run(command, "inspect", "residual.meta")
    assert "289 vertices, 377 edges" in said, said


def works_on(suite, wheels, window, folder):
    root = roots.fresh(suite, PACKAGES, folder / suite)
    for file in (*wheels, GRAPH):
        shutil.copy(file, root / "root")
    pip = ("python3", "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check")
    inside = lambda *words: roots.inside(root, "sh", "-c", 'cd; exec "$@"', "sh", *words,  # noqa: E731
                                         environment={"PIP_BREAK_SYSTEM_PACKAGES": "1"})
    for wheel in wheels:
        inside(*pip, wheel.name)
    starts(inside, "tideline")
    inside("python3", "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('tensorboard_plugin_tideline') is None)")
    print("works on", suite, flush=True)
    tarball.opens_a_window_on(suite, root, window)
    shutil.rmtree(root)


def pythons():
    """Every CPython from 3.7 to 3.13 that pyenv or PATH has, one for each version."""
    found, places = {}, [*os.environ.get("PATH", "").split(":"), "/usr/bin"]
    if shutil.which("pyenv"):
        places = [*glob.glob(roots.run("pyenv", "root").strip() + "/versions/*/bin"), *places]
    for minor in range(7, 14):
        for place in places:
            path = os.path.join(place, f"python3.{minor}")
            if "shims" not in place and os.access(path, os.X_OK):
                found.setdefault(minor, path)
    return found


def works_with(python, wheel, folder):
    roots.run(python, "-m", "venv", folder)
    roots.run(folder / "bin/python", "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", wheel)
    starts(lambda *words: roots.run(*words, cwd=GRAPH.parent), folder / "bin/tideline")
    shutil.rmtree(folder)


SAVES_AND_LOADS = """
import sys
import tensorflow as tf
from tideline.tmci import get_library_dir, ops
value = tf.Variable([1.0, 2.0])
ops.checkpoint([value], "file", sys.argv[1])
value.assign([0.0, 0.0])
ops.restore([value], "file", sys.argv[1])
print(value.numpy().tolist(), get_library_dir())
"""


def ops_work_beside_tensorflow(wheels, folder):
    """With the TensorFlow of this machine, in a folder of their own: nothing of this tree is found."""
    site = folder / "site"
    tensorflow = os.environ.get("TIDELINE_TF_PYTHON") or roots.ROOT / ".venv/bin/python"
    roots.run(tensorflow, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check", "--target", site, *wheels)
    library = site / "tideline_tmci_ops/_tmci_ops.so"
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", roots.run("readelf", "--dynamic", library)))
    assert needed <= LIBRARIES | {"libtensorflow_framework.so.2"}, needed
    about = roots.run("readelf", "--version-info", "--wide", library)
    assert max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([\d.]+)", about)) <= MOST, about
    assert not re.search(r"GLIBCXX_|CXXABI_|GCC_", about), about
    assert not re.search(r"RPATH|RUNPATH", roots.run("readelf", "--dynamic", library))
    said = roots.run(tensorflow, "-c", SAVES_AND_LOADS, folder / "saved", cwd=folder,
                     environment={"PYTHONPATH": str(site), "TF_CPP_MIN_LOG_LEVEL": "3"}).splitlines()[-1]
    assert said == f"[1.0, 2.0] {library.parent}", said
    # Another TensorFlow is refused before its symbols are missed.
    (site / "tideline_tmci_ops/__init__.py").write_text('TENSORFLOW = "2.14"\n', encoding="utf-8")
    said = roots.run(tensorflow, "-c", "from tideline.tmci import ops", code=1, cwd=folder, environment={"PYTHONPATH": str(site)})
    assert "for TensorFlow 2.14, not 2.15." in said, said
    print("the ops save and load beside TensorFlow", flush=True)


def main():
    if not shutil.which("ninja"):
        roots.skip("no ninja")
    with tempfile.TemporaryDirectory(prefix="tideline.") as name:
        folder = pathlib.Path(name)
        out = roots.WORK / "out"
        shutil.rmtree(out, ignore_errors=True)
        made = build(out)
        program, tab, _, window, *ops = made
        needs_no_more_than_the_tag_says(program, folder)
        tarball.is_whole(window, folder, MOST)
        for wheel in (program, tab, *ops):
            says_what_it_is(wheel)
        answers_as_the_other_link()
        if ops:
            ops_work_beside_tensorflow((program, *ops), folder)
        found = pythons()
        assert found, "not even the Python of this test"
        for minor, python in found.items():
            works_with(python, program, folder / f"python{minor}")
        print("works with Python", ", ".join(f"3.{minor}" for minor in sorted(found)), flush=True)
        for first, second in zip(made, build(folder / "second"), strict=True):
            assert first.read_bytes() == second.read_bytes(), f"{first.name}: two builds differ"
        why = roots.missing()
        if why:
            roots.skip(f"not tried on Debian 11 and 12: {why}")
        for suite in SUITES:
            works_on(suite, (program, tab), window, folder)


if __name__ == "__main__":
    sys.exit(main())
