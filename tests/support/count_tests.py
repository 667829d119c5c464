"""Reads the JUnit files of ctest and says which tests failed or were skipped, and how many passed.

Usage: count_tests.py FILE.xml...   At the end stands a list of what was skipped, `skipped: NAME: REASON`, and the
last line `N passed, N failed, N skipped`; the exit code is 1 when anything failed. Skipped is only what says so with
a line `SKIP: REASON`: a test that was not run for another reason counts as failed, and so does a file that
cannot be read or holds no test. A test that ran several cases of Catch counts as so many.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

TAIL_LINES = 30
REASON = re.compile(r"^SKIP: *(.*\S)", re.M)
ALL_PASSED = re.compile(r"^All tests passed \(.* in (\d+) test cases?\)", re.M)
SOME_FAILED = re.compile(r"^test cases: +\d+ \|(?: +(\d+) passed \|)? +(\d+) failed", re.M)


def output(case):
    return case.findtext("system-out") or ""


def is_skipped(case):
    """CTest also calls a test skipped whose program or fixture is missing."""
    skipped = case.find("skipped")
    return skipped is not None and skipped.get("message", "").startswith("SKIP_")


def outcome(case):
    """passed, failed or skipped, and what is to be said of it."""
    if is_skipped(case):
        said = REASON.search(output(case))
        return ("skipped", said[1]) if said else ("failed", f"skipped without a reason\n{output(case)}")
    if case.get("status") == "run" and case.find("failure") is None:
        return "passed", ""
    return "failed", output(case)


def counted(case):
    """[(outcome, how many, what is to be said)]."""
    kind, text = outcome(case)
    said = ALL_PASSED.search(output(case))
    if kind == "passed" and said:
        return [(kind, int(said[1]), text)]
    said = SOME_FAILED.search(output(case))
    if kind == "failed" and said:
        return [("passed", int(said[1] or 0), ""), (kind, int(said[2]), text)]
    return [(kind, 1, text)]


def read(path):
    """[(outcome, how many, name, text)] of one file."""
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        return [("failed", 1, path.stem, f"the results cannot be read: {error}")]
    if not cases:
        return [("failed", 1, path.stem, "no test was run")]
    return [(kind, count, f"{path.stem}: {case.get('name')}", text)
            for case in cases for kind, count, text in counted(case)]


def main(paths):
    rows = [row for path in paths for row in read(pathlib.Path(path))]
    for _, _, name, text in (row for row in rows if row[0] == "failed"):
        print(f"FAILED {name}")
        for line in text.splitlines()[-TAIL_LINES:]:
            print(f"  | {line}")
    for _, _, name, text in (row for row in rows if row[0] == "skipped"):
        print(f"skipped: {name}: {text}")
    count = {kind: sum(row[1] for row in rows if row[0] == kind) for kind in ("passed", "failed", "skipped")}
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
