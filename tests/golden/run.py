#!/usr/bin/env python3
"""Run the command lines in cases/ and compare everything they print.

    run.py TIDELINE        UPDATE_GOLDEN=1 rewrites the files instead

A case is a text file: lines that begin with '$ ' are commands (arguments of tideline), what follows is
what stdout and stderr said, and a line '[exit N]' for an exit code other than 0. All commands of a case
run in one empty folder; '$ ls' lists it, '$ cat FILE' shows a file of it,
'$ cp FILE NAME' puts one there. SAMPLES, DATA, CASES and LESSONS stand
for the folders of the repository. There is no TensorFlow, whatever the machine has.
"""
import difflib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Said in builds without the window alone; run on both kinds, the cases are those of a build with it.
NO_PICTURE = "tideline: note: the log has no picture of the memory: this build draws no PNG; tideline render draws SVG"
PLACES = {"SAMPLES": ROOT / "assets/samples", "DATA": ROOT / "tests/data", "CASES": HERE / "cases",
          "LESSONS": ROOT / "assets/tutorials/lessons"}


def run_case(program, path):
    said = []
    with tempfile.TemporaryDirectory() as folder:
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("$ "):
                continue
            said.append(line)
            words = line[2:]
            for name, place in PLACES.items():
                words = words.replace(name, str(place))
            words = shlex.split(words)
            if words[0] == "ls":
                said += sorted(os.listdir(folder))
                continue
            if words[0] == "cat":
                said += (pathlib.Path(folder) / words[1]).read_text(encoding="utf-8").splitlines()
                continue
            if words[0] == "cp":
                shutil.copyfile(words[1], pathlib.Path(folder) / words[2])
                continue
            done = subprocess.run([program] + words[1:], cwd=folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=60,
                                  env={**os.environ, "TFDIR": "/nowhere", "TIDELINE_TF_PYTHON": "/nowhere"})
            text = done.stdout.decode("utf-8", "backslashreplace")
            for name, place in PLACES.items():
                text = text.replace(str(place), name)
            said += [line for line in text.splitlines() if line != NO_PICTURE]
            if done.returncode != 0:
                said.append(f"[exit {done.returncode}]")
    return "\n".join(said) + "\n"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    cases = sorted((HERE / "cases").glob("*.txt"))
    for path in cases:
        said = run_case(program, path)
        want = path.read_text(encoding="utf-8")
        if said == want:
            continue
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_text(said, encoding="utf-8")
            print("updated", path.name)
            continue
        failed += 1
        sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), said.splitlines(True),
                                                   f"{path.name} (wanted)", f"{path.name} (printed)"))
    print(f"{len(cases) - failed} of {len(cases)} cases as wanted")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
