"""Guards the terminal: everything that the program prints goes through app/engine/say.h.

Its functions escape what a terminal would obey in names, paths and messages. Looked at are the sources that are
built into the program; a place that prints past them is named here, with what it prints.
"""

import pathlib
import re
import sys

import sources

PLACES = {
    "app/engine/say.h": "the functions themselves",
    "app/engine/say.cc": "JSON, which is escaped already",
    "app/cli/streams.cc": "writes what the functions printed",
    "app/cli/terminal.cc": "a sentence of our own, in a signal handler",
    "app/gui/trace.cc": "JSON, into a file",
    "core/base/check.cc": "text of our own sources",
}
PRINTS = re.compile(
    r"\bfmt\s*::\s*v?print(ln)?\b|\bstd\s*::\s*(cout|cerr|clog|print(ln)?)\b"
    r"|(?<!\w)(v?f?d?printf|f?puts|f?putc|putchar|fwrite|perror|psignal)\s*\("
    r"|\bwrite\s*\(\s*(STD(OUT|ERR)_FILENO|[12])\s*,")
COMMENT = re.compile(r"//.*")


def problems(root):
    found = []
    for path in sources.files(root, ".h", ".cc"):
        if path in PLACES or not path.startswith(("app/", "core/", "render/")):
            continue
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
            match = PRINTS.search(COMMENT.sub("", line))
            if match:
                found.append(f"{path}:{number}: prints with {match[0].strip()}; expected app::say or complain, "
                             "which escape what a terminal would obey")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
