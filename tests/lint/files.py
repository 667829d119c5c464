"""Guards the size of files and functions, and what every file must or must not have."""

import pathlib
import re
import sys

import functions
import sources

SOFT_LINES, HARD_LINES = 400, 800
FUNCTION_LINES = 80
CMAKE_LINES = 80
# A note about later names who and under which condition: TODO(owner): what, when or once or until what.
LATER = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(\w[^)]*\): .*\b(when|once|until)\b)")


def function_problems(path, text):
    find = functions.python_functions if path.endswith(".py") else functions.cpp_functions
    return [f"{path}:{first}: a function of {lines} lines, {FUNCTION_LINES} are allowed: {head}"
            for first, lines, head in find(text) if lines > FUNCTION_LINES]


def file_problems(path, text):
    found = []
    lines = text.count("\n")
    if lines > HARD_LINES:
        found.append(f"{path}: {lines} lines, {HARD_LINES} are allowed")
    if path.endswith("CMakeLists.txt") and lines > CMAKE_LINES:
        found.append(f"{path}: {lines} lines, {CMAKE_LINES} are allowed")
    if path.endswith(".h") and not re.search(r"^#pragma once$", text, re.M):
        found.append(f"{path}: no #pragma once")
    if not path.startswith("tests/lint/"):  # which has to write the words down
        found += [f"{path}:{number}: a note about later without owner and condition"
                  for number, line in enumerate(text.splitlines(), 1) if LATER.search(line)]
    if path.endswith((".h", ".cc", ".py")):
        found += function_problems(path, text)
    return found


def is_written(path):
    return path.endswith((".h", ".cc", ".c", ".py", ".sh", ".cmake", "CMakeLists.txt", "/run"))


def problems(root):
    paths = [path for path in sources.files(root) if is_written(path)]
    paths += [path.name for path in root.glob("CMakeLists.txt")]
    found = []
    for path in paths:
        text = (root / path).read_text(encoding="utf-8")
        if SOFT_LINES < text.count("\n") <= HARD_LINES:
            print(f"{path}: {text.count(chr(10))} lines; think of splitting it beyond {SOFT_LINES}")
        found += file_problems(path, text)
    return found


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
