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


PROGRAM = """
import sys
from partialflow import GraphSectionManager
from partialflow.manager import GraphSectionManager as same
from partialflow.sections import GraphSection, section_from_name, section_scope_name
from partialflow.utils import Timer, VerboseTimer
import tideline.sections
assert GraphSectionManager is same is tideline.sections.GraphSectionManager
assert section_from_name.match("a/gradients/" + section_scope_name % 12 + "/b_grad").group(2) == "12"
with Timer() as outer:
    with VerboseTimer("the step"):
        assert outer.duration < 1000
assert 0 <= outer.duration == outer.duration
print("given", sys.argv[1:])
"""


def programs_for_the_original_run_as_they_are(folder):
    """With what they import from it: run by tideline.compat, or by a command that is told where the names are."""
    program = folder / "old_program.py"
    program.write_text(PROGRAM)
    names = python_front.run(["-m", "tideline.compat"]).stdout.strip()
    path = f"{python_front.PACKAGE}:{names}"
    for done in (python_front.run(["-m", "tideline.compat", program, "--one", "two"]),
                 python_front.run([program, "--one", "two"], PYTHONPATH=path)):
        assert done.returncode == 0, done.stderr[-4000:]
        lines = done.stdout.splitlines()
        assert lines[0] == "START: the step..." and lines[1].startswith("DONE: the step took 0."), lines
        assert lines[2:] == ["given ['--one', 'two']"], lines
    # The package of an original that is installed keeps its name.
    original = folder / "installed/tmci"
    original.mkdir(parents=True)
    (original / "__init__.py").write_text("here = 'the original'\n")
    (original / "part.py").write_text("here = 'its part'\n")
    done = python_front.run(["-c", "import tmci, tmci.part\nprint(tmci.here, tmci.part.here)"],
                            PYTHONPATH=f"{names}:{python_front.PACKAGE}:{original.parent}")
    assert done.stdout == "the original its part\n", done


def main():
    with common.temporary_folder() as folder:
        programs_for_the_original_run_as_they_are(pathlib.Path(folder))
    print(python_front.worker("sections_worker.py"))
    print(python_front.worker("sections_compat_worker.py", common.DATA))
    print(python_front.worker("sections_worker.py", "resnet"))
    with common.temporary_folder() as folder:
        the_tutorial_trains_the_same(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
