#!/usr/bin/env python3
"""The notebooks of assets/tutorials run cell by cell, and come to what they show (tests/support/notebooks/make.py made them).
That of checkpoints needs the ops: tensorflow_ops_test.py runs it. Those of fits run with Keras 3, too, where it is (TIDELINE_KERAS3)."""
import os
import pathlib
import sys

import common
import notebooks
import python_front


def run(name, folder, *more):
    """`more`: folders in front of what the Python has."""
    cells = pathlib.Path(folder) / f"{name}_cells.py"
    cells.write_text(notebooks.program(name), encoding="utf-8")
    done = python_front.run([cells], PYTHONPATH=":".join(map(str, (python_front.PACKAGE, notebooks.TUTORIALS, *more))))
    assert done.returncode == 0, f"{name}: {done.stderr[-3000:]}"
    notebooks.check(name, done.stdout)
    print(name, "runs", flush=True)


def main():
    python_front.python()
    names = [name for name in notebooks.names() if name != "checkpoints"]
    assert len(names) == 7, names
    assert not notebooks.raw_bytes(), notebooks.raw_bytes()
    with common.temporary_folder() as folder:
        for name in names:
            assert notebooks.pictures(name) >= 1, name
            run(name, folder)
        keras3 = os.environ.get("TIDELINE_KERAS3", "")
        if os.path.isdir(keras3):
            run("fit", folder, keras3)
            run("keras_fit", folder, keras3)


if __name__ == "__main__":
    sys.exit(main())
