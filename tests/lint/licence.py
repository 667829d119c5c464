#!/usr/bin/env python3
"""Whoever finds a part of the project finds its licence: at the root, in the README and in the Python packages."""
import pathlib
import sys

import sources

# (file, words that it must have)
WANTED = (("LICENSE", "END OF TERMS AND CONDITIONS"), ("NOTICE", "Apache License, Version 2.0"),
          ("README.md", "Apache License 2.0"))


def has(path, words):
    return path.is_file() and words in path.read_text(encoding="utf-8")


def problems(root):
    """A Python package says it in pyproject.toml or, for old setuptools, in setup.cfg."""
    packages = [path.parent for path in sorted((root / "plugins").glob("*/pyproject.toml"))]
    return [f"{name}: expected the licence ('{words}')" for name, words in WANTED if not has(root / name, words)] + [
        f"{folder.relative_to(root)}/pyproject.toml: expected the licence (Apache-2.0)" for folder in packages
        if not has(folder / "pyproject.toml", 'license = {text = "Apache-2.0"}')
        and not has(folder / "setup.cfg", "\nlicense = Apache-2.0\n")]


if __name__ == "__main__":
    sys.exit(sources.report(problems(sources.ROOT)))
