"""What the window writes passes the oracles' own checker, which knows nothing of this program.

Under Xvfb: the parameters that an oracle was made with are typed and clicked, for the tutorial's graph and for
resnet50 (5,390 ops), and the graph is written. Skipped (77) without Xvfb, xdotool or TensorFlow's Python.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from xvfb_test import (ATTEMPTS, ROOT, SAMPLE, Window, need_display, never_swap, options_of, skip, unwritten_words, value_of,
                       write)

DATA = ROOT / "tests/data"
CHECKER = ROOT / "tests/support/check_rewrite.py"


def need_tensorflow():
    python = os.environ.get("TIDELINE_TF_PYTHON", "")
    if not os.path.exists(python):
        skip("no Python with TensorFlow 2.15 (TIDELINE_TF_PYTHON)")
    return python


def on_screen(folder, graph, name):
    """The value of an option in the command line for what is on the screen."""
    return value_of(options_of(unwritten_words(folder), graph), f"--{name.replace('_', '-')}")


def set_parameters(window, folder, graph, oracle):
    """Types what the oracle was made with, until the window has it."""
    window.settled()
    window.choose("policy/mode", "policy/mode/lms2", "policy/swapout threshold")
    for name, value in sorted(oracle["params"].items()):
        label = {"swapin_groupby": "swapin group-by"}.get(name, name.replace("_", " "))
        for _ in range(ATTEMPTS):
            window.type_number(f"policy/{label}", value)
            if on_screen(folder, graph, name) == str(value):
                break
        else:
            raise AssertionError(f"{label}: typed {value} {ATTEMPTS} times: {unwritten_words(folder)}")


def exclude(window, folder, graph, scopes):
    for scope in scopes:
        window.type_text("scopes/filter", scope, f"scopes/{scope}/rule")
        never_swap(window, scope)
    excluded = on_screen(folder, graph, "excl_output_by_scopes")
    assert sorted(excluded.split(",")) == scopes, excluded


def exclude_and_undo(window):
    never_swap(window, "stage2")
    window.press("ctrl", "z")
    window.settled()


def check(program, python, graph, oracle_file, folder):
    oracle = json.loads(oracle_file.read_text(encoding="utf-8"))
    scopes = sorted(oracle["filters"].get("excl_output_by_scopes", []))
    folder.mkdir()
    # The window keeps its session beside the graph.
    graph = shutil.copy(graph, folder)
    window = Window(program, [str(graph)], folder)
    try:
        set_parameters(window, folder, graph, oracle)
        if scopes:
            exclude(window, folder, graph, scopes)
        else:
            exclude_and_undo(window)
        write(window, folder / "written.meta")
    finally:
        window.close()
    done = subprocess.run([python, "-B", CHECKER, graph, folder / "written.meta", oracle_file],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    print(f"the checker agrees about {pathlib.Path(graph).name}", flush=True)


def main(program):
    need_display()
    python = need_tensorflow()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check(program, python, SAMPLE, DATA / "lms_v2/tutorial.json", folder / "tutorial")
        check(program, python, DATA / "graphs/resnet50.meta", DATA / "lms_v2/resnet50_thr100.json",
              folder / "resnet50")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
