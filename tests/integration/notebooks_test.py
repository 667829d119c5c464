#!/usr/bin/env python3
"""The notebooks of assets/tutorials run cell by cell, and come to what they show (tests/support/notebooks/make.py made them).
That of checkpoints needs the ops: tensorflow_ops_test.py runs it."""
import pathlib
import sys

import common
import notebooks
import python_front


def main():
    python_front.python()
    names = [name for name in notebooks.names() if name != "checkpoints"]
    assert len(names) == 5, names
    with common.temporary_folder() as folder:
        for name in names:
            assert notebooks.pictures(name) >= 1, name
            cells = pathlib.Path(folder) / f"{name}_cells.py"
            cells.write_text(notebooks.program(name), encoding="utf-8")
            done = python_front.run([cells], PYTHONPATH=f"{python_front.PACKAGE}:{notebooks.TUTORIALS}")
            assert done.returncode == 0, f"{name}: {done.stderr[-3000:]}"
            notebooks.check(name, done.stdout)
            print(name, "runs", flush=True)


if __name__ == "__main__":
    sys.exit(main())
