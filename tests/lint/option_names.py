"""Guards the table of rewriters: what only one rewriter knows is named only in its folder.

A parameter is described in core/rewrite/ID/parameters.cc and nowhere else; fronts take it from the table. Looked
at are the sources that are built into the program. Parameters that rewriters share (core/rewrite/common_parameters.h)
are known to all.
"""

import pathlib
import re
import sys

import sources

DESCRIBED = re.compile(r'\.name = "([a-z0-9-]+)"|filter<[^;]*?>\(\s*"([a-z0-9-]+)"', re.S)

# Words of the field that others need as well: keys of plans, probes and traces, what `run` is asked to run,
# attributes of the ops that use checkpoint backends, and what a table of hyperparameters has beside them.
ALSO_KEYS = {"backend", "config", "devices", "loss", "metrics", "train-op", "variables"}


def names_of(text):
    return {first or second for first, second in DESCRIBED.findall(text)}


def pattern_of(names):
    """The names as options, as keys, as members and as labels; one that is an English word only where it is quoted."""
    several = [re.escape(name).replace(r"\-", "[-_ ]") for name in names if "-" in name]
    single = [f'"{name}"' for name in names if "-" not in name]
    words = [rf"(?<!\w)(?<!\w-)(?:{'|'.join(sorted(several))})(?![\w-])"] if several else []
    return re.compile("|".join(words + sorted(single)))


def problems(root):
    folders = sorted(path.parent for path in (root / "core/rewrite").glob("*/parameters.cc"))
    found = []
    for folder in folders:
        described = names_of((folder / "parameters.cc").read_text(encoding="utf-8"))
        names = described - ALSO_KEYS
        if not described:
            found.append(f"{folder.relative_to(root)}/parameters.cc: no parameter found")
        if not names:
            continue
        named = pattern_of(names)
        own = tuple(other.relative_to(root).as_posix() + "/" for other in folders)
        for path in sources.files(root, ".h", ".cc"):
            if path.startswith(own) or path.startswith("tests/"):
                continue
            for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
                match = named.search(line)
                if match:
                    found.append(f"{path}:{number}: names {match[0]}, a parameter of {folder.name}; take it from the table")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
