#!/usr/bin/env python3
"""Functions of TensorFlow 2 and Keras's fit through rewritten steps: the same bits as without, all or nothing, and what is refused.

    functions_front_test.py TIDELINE [newest] [grappler]
    functions_front_test.py TIDELINE [newest] matrix plain|grappler [NAME...]     the models of tf2_models.py, without names all eleven
    functions_front_test.py TIDELINE [newest] traps functions|fit plain|grappler        ways to write steps and to call fit
    functions_front_test.py TIDELINE [newest] tutorial        lms_fit.py, with swaps and without"""
import os
import pathlib
import subprocess
import sys

import common
import python_front


def tutorial(folder):
    """What it prints with swaps and without has the same losses."""
    losses = []
    for words in ([], ["--without"]):
        done = subprocess.run([python_front.python(), "-B", common.ROOT / "assets/tutorials/lms_fit.py", *words], cwd=folder, text=True,
                              capture_output=True, timeout=800,
                              env={**os.environ, "PYTHONPATH": str(python_front.PACKAGE), "TIDELINE": common.PROGRAM,
                                   "TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1"})
        assert done.returncode == 0, done.stderr[-3000:]
        losses.append([line for line in done.stdout.splitlines() if line.startswith("epoch")])
        assert ("swaps: " in done.stdout) == (not words), done.stdout
    assert losses[0] == losses[1] and len(losses[0]) == 2, losses
    assert pathlib.Path(folder, "lms_fit.svg").exists()


def main():
    python_front.python()
    words = [word for word in sys.argv[2:] if word != "newest"]
    if words[:1] == ["matrix"]:
        print(python_front.worker("tf2_matrix_worker.py", *words[1:]))
        return
    with common.temporary_folder() as folder:
        if words == ["tutorial"]:
            tutorial(folder)
            return
        if words[:1] == ["traps"]:
            print(python_front.worker("tf2_traps_worker.py", *words[1:], folder))
            return
        print(python_front.worker("functions_worker.py", common.PROGRAM, common.ROOT, folder, *words))


if __name__ == "__main__":
    sys.exit(main())
