#!/usr/bin/env python3
"""Whoever finds a part of the project finds its licence: at the root, in the README and in the Python packages."""
import pathlib
import sys

import sources

# (file, words that it must have)
WANTED = (("LICENSE", "END OF TERMS AND CONDITIONS"), ("NOTICE", "Apache License, Version 2.0"),
          ("README.md", "Apache License 2.0"))


def problems(root):
    wanted = [*WANTED, *((path.relative_to(root).as_posix(), 'license = {text = "Apache-2.0"}')
                         for path in sorted((root / "plugins").glob("*/pyproject.toml")))]
    return [f"{name}: expected the licence ('{words}')" for name, words in wanted
            if not (root / name).is_file() or words not in (root / name).read_text(encoding="utf-8")]


if __name__ == "__main__":
    sys.exit(sources.report(problems(sources.ROOT)))
