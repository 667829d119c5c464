#!/usr/bin/env python3
"""Model functions and finished graphs that Python replicates train, evaluate and predict with the original's numbers.

    replicate_front_test.py TIDELINE [tensorflow1]"""
import os
import pathlib
import sys

import common
import python_front


def the_tutorial_trains_as_on_one_device(folder):
    os.chdir(folder)  # the pictures go there
    losses = []
    for devices in ("/device:CPU:0", "/device:CPU:0,/device:CPU:1"):
        done = python_front.run([common.ROOT / "assets/tutorials/towers.py", "--steps=3", "--devices", devices],
                                HOME=str(folder))
        assert done.returncode == 0 and "predictions are right" in done.stdout, (done.stdout, done.stderr[-4000:])
        losses.append([float(line.split("loss ")[1]) for line in done.stdout.splitlines() if ": loss " in line])
    # Means of halves round otherwise than means of the whole.
    assert len(losses[0]) == 3 and all(abs(a - b) < 1e-4 for a, b in zip(*losses)), losses
    assert (folder / "towers.svg").read_text().startswith("<svg")


def main():
    print(python_front.worker("replicate_front_worker.py", common.ROOT))
    with common.temporary_folder() as folder:
        the_tutorial_trains_as_on_one_device(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
