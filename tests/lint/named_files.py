"""Guards the files that comments name: what a head says to be tested somewhere, is there.

Looked at are comments. A path that begins with one of the folders of this tree names a file of it, and so does
every path after "Tested by", there also as seen from tests/. `*` stands for any name. Files of other projects
are named without a folder of ours: "TFLMS v2, lms.py".
"""

import ast
import io
import pathlib
import re
import sys
import tokenize

import functions
import sources

WRITTEN = (".h", ".cc", ".c", ".py", ".sh", "CMakeLists.txt", "/run")
ROOTS = ("app", "assets", "core", "plugins", "render", "tests")
# The last part may have no dot: app/run.
PATH = re.compile(r"(?<![\w./-])(?:[\w*-]+/)+[\w*-]+(?:\.[\w*-]+)*")
TEST = re.compile(r"(?<![\w./-])(?:[\w*.-]+/)*[\w*-]+\.(?:cc|py|txt|sh)\b")
TESTED = re.compile(r"\bTested\s+(?:by|in)\b:?(.*)", re.S)


def cpp_comments(text):
    """[(first line, words)] of every comment; lines of // one below the other are one."""
    found = []
    for match in functions.BLANKED.finditer(text):
        if not match[0].startswith(("//", "/*")):
            continue
        line = text.count("\n", 0, match.start()) + 1
        words = re.sub(r"^\s*(//[/!<]*|/?\*+/?)", "", match[0], flags=re.M)
        if found and match[0].startswith("//") and line == found[-1][0] + found[-1][1].count("\n") + 1:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + words)
        else:
            found.append((line, words))
    return found


def python_comments(text):
    found = [(token.start[0], token.string) for token in tokenize.generate_tokens(io.StringIO(text).readline)
             if token.type == tokenize.COMMENT]
    head = ast.get_docstring(ast.parse(text))
    return found + ([(1, head)] if head else [])


def script_comments(text):
    return [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("#")]


def comments(path, text):
    if path.endswith(".py"):
        return python_comments(text)
    return cpp_comments(text) if path.endswith((".h", ".cc", ".c")) else script_comments(text)


def exists(root, name):
    return any(root.glob(name)) if "*" in name else (root / name).exists()


def is_ours(root, name):
    """Whether it begins like a path of this tree: "render/ui" does, "and/or" does not."""
    return name.split("/")[0] in ROOTS and (root / name.split("/")[0]).is_dir()


def is_test(root, name):
    """Whether it begins like a path below tests/: "unit/graph/*"."""
    return (root / "tests" / name.split("/")[0]).is_dir()


def problems_of(root, path, text):
    found = []
    for line, words in comments(path, text):
        named = {name for name in PATH.findall(words) if is_ours(root, name) and not exists(root, name)}
        tested = TESTED.search(words)
        tests = TEST.findall(tested[1]) if tested else []
        tests += [name for name in (PATH.findall(tested[1]) if tested else ()) if is_test(root, name)]
        named |= {name for name in tests if not exists(root, name) and not exists(root / "tests", name)}
        found += [f"{path}:{line}: names {name}, which does not exist" for name in sorted(named)]
    return found


def problems(root):
    found = []
    for path in sources.files(root):
        # tests/lint writes names down that do not exist.
        if path.startswith("tests/lint/") or not path.endswith(WRITTEN):
            continue
        found += problems_of(root, path, (root / path).read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
