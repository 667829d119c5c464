"""Guards the page of the browser (app/web/front): its size, and that it needs and runs nothing but its own files.

Its policy of security forbids what stands inline and what comes from elsewhere; a browser would say so only once
it gets there. Names of ops are data, so nothing may turn text into markup.
"""

import pathlib
import re
import sys

import sources

FOLDER = "app/web/front"
WRITTEN = (".html", ".css", ".js")
MOST_BYTES, MOST_LINES_A_FILE = 150_000, 400
FONT, MOST_FONT_BYTES = "dejavu.woff2", 60_000

# (files, what must not be written, what to do instead)
RULES = (
    (".js", re.compile(r"\b(inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write|\bcreateContextualFragment\b|\bsrcdoc\b"),
     "turns text into markup; expected textContent"),
    (".js", re.compile(r"\beval\s*\(|\bnew\s+Function\b|\bset(Timeout|Interval)\s*\(\s*['\"`]|\bimport\s*\("),
     "runs text as a program, or a program that is not known beforehand"),
    (".js", re.compile(r"setAttribute\(\s*['\"](style|on\w+)['\"]|\bcssText\b"), "is inline style or a handler as text; expected properties"),
    (".html", re.compile(r"\sstyle\s*=|<style\b|\son\w+\s*=|<script(?![^>]*\ssrc=)|javascript:", re.I),
     "stands inline; expected a file"),
    ("", re.compile(r"\b(https?|wss?|ftp):|(['\"(]|\bsrc=|\bhref=)//\w|@import\b"), "comes from elsewhere; expected a file of this folder"),
)


def problems(root):
    folder = root / FOLDER
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*")) if path.suffix in WRITTEN}
    found = [f"{path.relative_to(root).as_posix()}:{number}: {match[0].strip()} {why}"
             for path, text in texts.items() for number, line in enumerate(text.splitlines(), 1)
             for suffix, rule, why in RULES if path.name.endswith(suffix)
             for match in [rule.search(line)] if match]
    lines = {path: text.count("\n") for path, text in texts.items()}
    found += [f"{path.relative_to(root).as_posix()}: {count} lines, {MOST_LINES_A_FILE} are allowed"
              for path, count in lines.items() if count > MOST_LINES_A_FILE]
    bytes_in_all = sum(len(text.encode()) for text in texts.values())
    if bytes_in_all > MOST_BYTES:
        found.append(f"{FOLDER}: {bytes_in_all} bytes, {MOST_BYTES} are allowed")
    font = folder / FONT
    if font.exists() and font.stat().st_size > MOST_FONT_BYTES:
        found.append(f"{FOLDER}/{FONT}: {font.stat().st_size} bytes, {MOST_FONT_BYTES} are allowed")
    found += [f"{path.relative_to(root).as_posix()}: a file of another kind; every one in this folder is served"
              for path in sorted(folder.glob("*")) if path.suffix not in WRITTEN and path.name != FONT]
    return found


if __name__ == "__main__":
    sys.exit(sources.report(problems(pathlib.Path(sys.argv[1]) if sys.argv[1:] else sources.ROOT)))
