#!/usr/bin/env python3
"""Keep the examples in README.md true.

    regenerate_readme.py [--check] TIDELINE

TIDELINE is a built binary. The block that follows a line `<!-- output of: COMMAND -->` gets the
command and what it prints. All commands run one after the other in one scratch folder that has
`assets` in it and `tideline` on its path. With --check nothing is written: exit code 1 and a diff
when a block is no longer true.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(<!-- output of: (.*?) -->\n```text\n).*?(^```$)", re.DOTALL | re.MULTILINE)


def run(command, folder):
    path = f"{folder}/bin{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "PATH": path})
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {command}\n{done.stdout}")
    return done.stdout


def regenerated(text, tideline):
    marked, blocks = text.count("<!-- output of:"), len(BLOCK.findall(text))
    if not blocks or blocks != marked:
        sys.exit(f"README.md: {marked} examples, of which {blocks} have a block of text")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "assets", f"{folder}/assets")
        os.mkdir(f"{folder}/bin")
        os.symlink(pathlib.Path(tideline).resolve(strict=True), f"{folder}/bin/tideline")
        return BLOCK.sub(lambda match: f"{match[1]}$ {match[2]}\n{run(match[2], folder)}{match[3]}",
                         text)


def main(arguments):
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check:
        sys.exit(__doc__)
    readme = ROOT / "README.md"
    old = readme.read_text(encoding="utf-8")
    new = regenerated(old, arguments[-1])
    if not check:
        readme.write_text(new, encoding="utf-8")
    elif old != new:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                                   "README.md", "what the program prints"))
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
