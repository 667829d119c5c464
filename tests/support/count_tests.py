"""Reads the JUnit files of ctest and says which tests failed or were skipped, and how many passed.

Usage: count_tests.py FILE.xml...   The last line is `N passed, N failed, N skipped`; the exit code is 1
when anything failed. A file that cannot be read, or that holds no test, counts as one failure.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

TAIL_LINES = 30


def outcome(case):
    """passed, failed or skipped. CTest also calls a test skipped whose program or fixture is missing."""
    if case.get("status") == "disabled":
        return "skipped"
    skipped = case.find("skipped")
    if skipped is not None:
        return "skipped" if skipped.get("message", "").startswith("SKIP_") else "failed"
    return "passed" if case.get("status") == "run" and case.find("failure") is None else "failed"


def reason(case):
    """The line of the output that speaks of skipping, else the last one."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    speaking = [line for line in lines if "skip" in line.lower()]
    return (speaking or lines or ["no reason given"])[-1]


def read(path):
    """[(outcome, name, text)] of one file."""
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        return [("failed", path.stem, f"the results cannot be read: {error}")]
    if not cases:
        return [("failed", path.stem, "no test was run")]
    rows = []
    for case in cases:
        result = outcome(case)
        text = reason(case) if result == "skipped" else case.findtext("system-out") or ""
        rows.append((result, f"{path.stem}: {case.get('name')}", text))
    return rows


def main(paths):
    rows = [row for path in paths for row in read(pathlib.Path(path))]
    for _, name, text in (row for row in rows if row[0] == "failed"):
        print(f"FAILED {name}")
        for line in text.splitlines()[-TAIL_LINES:]:
            print(f"  | {line}")
    for _, name, text in (row for row in rows if row[0] == "skipped"):
        print(f"skipped {name} ({text})")
    count = {kind: sum(row[0] == kind for row in rows) for kind in ("passed", "failed", "skipped")}
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
