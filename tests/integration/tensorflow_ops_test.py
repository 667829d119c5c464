#!/usr/bin/env python3
"""The Python package tideline.tmci, built by pip against an installed Tideline and a real TensorFlow: LeNet-5 of the
tutorial, each bug of TMCI's, savers of graphs, and programs and plugins that were written for TMCI."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import common
import notebooks

BUILD = pathlib.Path(common.PROGRAM).parents[1]
PACKAGE = common.ROOT / "plugins/tensorflow"
WORKER = pathlib.Path(__file__).resolve().parent / "tensorflow_ops_worker.py"
SIZES = [1152, 128, 73728, 256, 4718592, 512, 5120, 40]


def run(*words, code=0, **more):
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **more.pop("env", {})}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=500, env=environment, **more)
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def install(folder):
    """The package in a folder of its own, as pip puts it anywhere."""
    run("cmake", "--install", BUILD, "--prefix", folder / "stage")
    source = folder / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    launcher = shutil.which("ccache")
    run(common.TENSORFLOW, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
        "--disable-pip-version-check", "--target", folder / "site", source,
        env={"CMAKE_PREFIX_PATH": str(folder / "stage"), "TIDELINE_BUILD_TYPE": "", "CXXFLAGS": "-O1",
             "CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(folder),
             **({"CMAKE_CXX_COMPILER_LAUNCHER": launcher} if launcher else {})})
    return folder / "site"


def build_plugin(folder, site):
    """As its author would: with what the package says, and nothing of Tideline's sources. It is linked to the library of the
    ops alone, for which a build asks the module `tmci`, by a linker that leaves out what is not used directly."""
    names = run(common.TENSORFLOW, "-m", "tideline.compat", env={"PYTHONPATH": str(site)}).strip()
    asked = run(common.TENSORFLOW, "-c", "import tmci; print(tmci.get_library_dir()); print(tmci.get_library())",
                env={"PYTHONPATH": f"{site}:{names}"}).splitlines()
    words = run(common.TENSORFLOW, "-c", "import tensorflow as tf; from tideline import tmci; print('\\n'.join("
                "tf.sysconfig.get_compile_flags() + ['-I' + tmci.get_include()]))", env={"PYTHONPATH": str(site)})
    plugin = folder / "libprinting.so"
    run("c++", "-shared", "-fPIC", "-O1", "-w", common.ROOT / "tests/package/tmci_plugin/printing_backend.cc", "-o",
        plugin, *words.split(), "-Wl,--as-needed", "-L" + asked[0], "-Wl,-rpath," + asked[0], "-l:" + asked[1])
    return plugin


def flags_of_the_package(folder):
    """What tensorflow.json says takes the place of what TensorFlow says; flags are added to its own."""
    show = ("import json, runpy, setuptools, sys; setuptools.setup = lambda **_: None\n"
            "print(json.dumps(runpy.run_path('setup.py')['flags']()))\n"
            "print('tensorflow' in sys.modules)")
    source = folder / "flags"
    source.mkdir()
    shutil.copy(PACKAGE / "setup.py", source)

    def flags(given, code=0):
        (source / "tensorflow.json").write_text(json.dumps(given))
        return run(common.TENSORFLOW, "-c", show, code=code, cwd=source).splitlines()

    asked = json.loads(flags({})[0])
    assert asked["libraries"] == [":libtensorflow_framework.so.2"] and "--std=c++17" in asked["extra_cxxflags"], asked
    given = json.loads(flags({"include_dirs": ["/a"], "library_dirs": None, "extra_cxxflags": ["-DB"]})[0])
    assert given == {**asked, "include_dirs": ["/a"], "extra_cxxflags": asked["extra_cxxflags"] + ["-DB"]}, given
    whole = {"libraries": ["x"], "library_dirs": ["/y"], "include_dirs": ["/z"], "extra_cxxflags": []}
    assert flags(whole) == [json.dumps(whole), "False"]
    for wrong in ({"library": []}, {"libraries": "x"}, {"libraries": [1]}):
        flags(wrong, code=1)


def lenet5(folder, site, plugin):
    """25 tensors for each save and load, in the original's format, at the addresses of the variables."""
    tutorial = common.ROOT / "assets/tutorials/lenet5_checkpoint.py"

    def trained(*words):
        return run(common.TENSORFLOW, "-B", tutorial, *words, env={"PYTHONPATH": str(site)}).splitlines()

    for words in (["--backend", "dummy"], ["--plugin", plugin, "--backend", "printing"]):
        lines = trained(*words, "--config", "any text")
        assert lines[0] == "[DUMMY] Initialization, config: any text" and len(lines) == 1 + 3 * 26 + 1, lines
        calls = [lines[1 + 26 * i:27 + 26 * i] for i in range(3)]
        assert [call[0] for call in calls] == ["[DUMMY] Saving 25 tensors:"] * 2 + ["[DUMMY] Loading 25 tensors:"]
        found = [[re.fullmatch(r"  data=(0x[0-9a-f]+) size=(\d+)", line).groups() for line in call[1:]] for call in calls]
        sizes = [int(size) for _, size in found[0]]
        assert sizes == SIZES + [8] + [size for size in SIZES for _ in "mv"] and sum(sizes) == 14398592, sizes
        # The variables' own memory: weights that are assigned in place are where they were, and what loading gets is
        # what saving got.
        assert found[1] == found[2] and found[0] == found[1], found
        assert len({address for address, _ in found[2]}) == 25
        assert re.fullmatch(r"step 10: 25 tensors, loss (\S+), after loading \1", lines[-1]), lines[-1]
    config = '{"path": "%s-{step}", "async": true, "keep_last": 2}' % (folder / "lenet5/m")
    said = trained("--backend", "file", "--config", config)
    assert re.fullmatch(r"step 10: 25 tensors, loss (\S+), after loading \1", said[-1]), said
    listed = common.tideline("checkpoint", "ls", folder / "lenet5").stdout
    assert "optimizer/m/layer_with_weights-2/kernel" in listed and "layer_with_weights-0/bias" in listed, listed
    common.tideline("checkpoint", "verify", folder / "lenet5/m-10")


def notebook(folder, site):
    cells = folder / "cells.py"
    cells.write_text(notebooks.program("checkpoints"), encoding="utf-8")
    printed = run(common.TENSORFLOW, "-B", cells, env={"PYTHONPATH": f"{site}:{notebooks.TUTORIALS}",
                                                      "TIDELINE": str(common.PROGRAM)})
    notebooks.check("checkpoints", printed)
    assert "25 tensors" in printed and "no damage" in printed, printed


def programs_for_tmci(folder, site, plugin):
    """`import tmci` works after tideline.compat, and an original that is installed stays what it is."""
    program = ("import sys, tideline\nassert 'tensorflow' not in sys.modules\n"
               "import tideline.compat, tmci\nfrom tmci import checkpoint\nimport tmci.plugins\n"
               "import tideline.tmci.checkpoint as ours\nassert checkpoint is ours and tmci is tideline.tmci\n"
               "assert checkpoint.__name__ == 'tideline.tmci.checkpoint' == checkpoint.__spec__.name\n"
               f"tmci.plugins.load({str(plugin)!r})\n"
               "import os; assert os.path.exists(os.path.join(tmci.get_library_dir(), tmci.get_library()))\n"
               "from tmci import ops; import tensorflow as tf\n"
               "ops.checkpoint(tensors=[tf.Variable(1.)], backend='printing', config='x')\n")
    lines = run(common.TENSORFLOW, "-c", program, env={"PYTHONPATH": str(site)}).splitlines()
    assert lines[:2] == ["[DUMMY] Initialization, config: x", "[DUMMY] Saving 1 tensors:"], lines
    original = folder / "original/tmci"
    original.mkdir(parents=True)
    (original / "__init__.py").write_text("here = 'the original'\n")
    for order in ("import tideline.compat, tmci", "import tmci, tideline.compat"):
        said = run(common.TENSORFLOW, "-c", order + "\nprint(tmci.here)",
                   env={"PYTHONPATH": f"{site}:{original.parent}"})
        assert said == "the original\n", said


def saves_end_with_the_process(folder, site):
    """A save in the background is finished before the process ends, and a failure of it is told."""
    program = ("import json, sys, tensorflow as tf; from tideline.tmci import ops\n"
               "ops.checkpoint([tf.Variable(tf.ones([1 << 22]))], 'file', json.dumps({'path': sys.argv[1], 'async': True}))\n")
    (folder / "file").write_text("no folder")
    for prefix, said in ((folder / "last", ""), (folder / "file/m", "a save in the background failed: file: ")):
        done = subprocess.run([common.TENSORFLOW, "-c", program, str(prefix)], capture_output=True, text=True, check=True,
                              env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(site)})
        assert said in done.stderr, done
    common.tideline("checkpoint", "verify", folder / "last")


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        site = install(folder)
        plugin = build_plugin(folder, site)
        print("the package is installed", flush=True)
        flags_of_the_package(folder)
        lenet5(folder, site, plugin)
        notebook(folder, site)
        programs_for_tmci(folder, site, plugin)
        saves_end_with_the_process(folder, site)
        work = folder / "work"
        work.mkdir()
        print(run(common.TENSORFLOW, "-B", WORKER, plugin, work, env={"PYTHONPATH": str(site)}))


if __name__ == "__main__":
    sys.exit(main())
