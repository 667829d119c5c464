#!/usr/bin/env python3
"""Networks that are built in sections in Python train like one run for each step, the tutorial's too; with compat=True they are
fed, keep and fetch what the original does.

    sections_front_test.py TIDELINE [tensorflow1]"""
import os
import pathlib
import sys

import common
import python_front


def the_tutorial_trains_the_same(folder):
    """It imports partialflow, which is Tideline's module then."""
    os.chdir(folder)  # the pictures go there
    losses = []
    for words in ([], ["--without"]):
        done = python_front.run([common.ROOT / "assets/tutorials/sections_resnet.py", "--exact", "--steps=3", *words],
                                HOME=str(folder))
        assert done.returncode == 0, done.stderr[-4000:]
        losses.append([line for line in done.stdout.splitlines() if ": loss " in line])
        if not words:
            assert "section 3: " in done.stdout and "a whole step needs" in done.stdout, done.stdout
            print(done.stdout)
    assert losses[0] == losses[1] and len(losses[0]) == 3, losses
    assert (folder / "sections_resnet.svg").read_text().startswith("<svg")


def main():
    print(python_front.worker("sections_worker.py"))
    print(python_front.worker("sections_compat_worker.py", common.DATA))
    print(python_front.worker("sections_worker.py", "resnet"))
    with common.temporary_folder() as folder:
        the_tutorial_trains_the_same(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
