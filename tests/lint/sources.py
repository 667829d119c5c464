"""Which files the lints look at: what people write, wherever it lies below the six fixed folders."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("app", "core", "plugins", "render", "tests", ".ci")
# Inputs and expected outputs of tests are not ours to format or to measure, nor is what pip leaves where it builds.
DATA_FOLDERS = ("tests/data", "tests/fuzz/corpus", "tests/golden/cases", "plugins/tensorflow/build")


def files(root, *suffixes):
    """Paths relative to `root`, sorted. No suffix: all files."""
    found = []
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root).as_posix()
            if any(name.startswith(data + "/") for data in DATA_FOLDERS) or not path.is_file():
                continue
            if not suffixes or path.suffix in suffixes:
                found.append(name)
    return sorted(found)


def report(problems):
    """Prints one problem a line; the exit code of the lint."""
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "nothing to complain about")
    return 1 if problems else 0
