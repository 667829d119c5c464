"""Guards that the repository stands alone: nothing in it names a folder beside it.

Users and other machines have the clone and nothing else. Whatever a test, a script or a document needs
lies in the repository; the folder of that name that developers once had beside it is not to come back.
"""

import pathlib
import re
import sys

import sources

# (what must not be written, why)
RULES = (
    (re.compile(r"(?<![\w.-])shared/|/shared(?![\w-])|/\s*[\"']shared\b"), "a path through a folder `shared`"),
    (re.compile(r"\b(SHARED|kShared)\s*(=|/(?!/))|\bcommon\.SHARED\b|\bneed_shared\b"), "a name for a folder `shared`"),
    (re.compile(r"\bshared (folder|checker|oracle|tool|graph|log)s?\b", re.I), "something of a folder `shared`"),
    (re.compile(r"\b(ROOT|kSource)\.parent(_path)?\b|\bparents\[[3-9]\]"), "a path that leaves the repository"),
)
WRITTEN = ("", ".h", ".cc", ".c", ".cu", ".py", ".sh", ".cmake", ".md", ".txt", ".json")
MORE_FOLDERS = ("assets", "tests/golden/cases")


def is_text_of_ours(path, name):
    return path.is_file() and path.suffix in WRITTEN and "__pycache__" not in name


def files(root):
    """What people write, documents included; of the tests' data only the documents."""
    found = {name for name in sources.files(root) if is_text_of_ours(root / name, name)}
    places = [*root.glob("*"), *root.glob("tests/data/**/*.md"),
              *(path for folder in MORE_FOLDERS for path in (root / folder).rglob("*"))]
    for path in places:
        name = path.relative_to(root).as_posix()
        if is_text_of_ours(path, name):
            found.add(name)
    return sorted(name for name in found if not name.startswith("tests/lint/"))  # it has to write the words down


def problems(root):
    return [f"{name}:{number}: {why}; what is needed belongs into the repository (tests/data, assets)"
            for name in files(root)
            for number, line in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1)
            for rule, why in RULES if rule.search(line)]


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
