"""The summary at the end of ./tests/run: what failed, what was skipped and why, and the last line."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import count_tests  # noqa: E402

PASSED = '<testcase name="unit: a" status="run"><system-out>SKIP: not at all</system-out></testcase>'
FAILED = '<testcase name="gui: b" status="fail"><failure/><system-out>1\n2 is not 3\n</system-out></testcase>'
LACKS = """<testcase name="gl: c" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>starting\nSKIP: Xvfb is missing\n</system-out></testcase>"""
MUTE = '<testcase name="gl: d" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>hm</system-out></testcase>'
MISSING = '<testcase name="gl: e" status="notrun"><skipped message="Unable to find executable"/><system-out/></testcase>'
DISABLED = '<testcase name="gl: f" status="disabled"><system-out>Disabled</system-out></testcase>'
SEVERAL = """<testcase name="unit: some_test" status="run"><system-out>=====
All tests passed (59 assertions in 2 test cases)
</system-out></testcase>"""
SOME_FAIL = """<testcase name="unit: other_test" status="fail"><failure/><system-out>1 is not 2
===
test cases:   7 |   5 passed | 2 failed
assertions: 143 | 141 passed | 2 failed
</system-out></testcase>"""
ALL_FAIL = SOME_FAIL.replace("5 passed | ", "")


class Counting(unittest.TestCase):
    def counted(self, **files):
        """Exit code and lines for files of these names with these test cases; None: no file."""
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(out):
            paths = [pathlib.Path(name) / f"{stem}.xml" for stem in files]
            for path, cases in zip(paths, files.values()):
                if cases is not None:
                    path.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
            code = count_tests.main([str(path) for path in paths])
        return code, out.getvalue().splitlines()

    def test_what_passes_is_counted(self):
        self.assertEqual(self.counted(dev=[PASSED, PASSED], asan=[PASSED]), (0, ["3 passed, 0 failed, 0 skipped"]))

    def test_cases_of_a_program_are_counted_one_by_one(self):
        self.assertEqual(self.counted(asan=[SEVERAL, PASSED]), (0, ["3 passed, 0 failed, 0 skipped"]))
        code, lines = self.counted(asan=[SEVERAL, SOME_FAIL])
        self.assertEqual((code, lines[0], lines[-1]), (1, "FAILED asan: unit: other_test", "7 passed, 2 failed, 0 skipped"))
        self.assertEqual(self.counted(asan=[ALL_FAIL])[1][-1], "0 passed, 2 failed, 0 skipped")

    def test_what_is_skipped_is_named_with_its_reason_just_before_the_last_line(self):
        code, lines = self.counted(asan=[LACKS], dev=[PASSED, FAILED, LACKS])
        self.assertEqual(code, 1)
        self.assertEqual(lines[-3:], ["skipped: asan: gl: c: Xvfb is missing", "skipped: dev: gl: c: Xvfb is missing",
                                      "1 passed, 1 failed, 2 skipped"])
        self.assertIn("FAILED dev: gui: b", lines)
        self.assertIn("  | 2 is not 3", lines)

    def test_skipping_without_a_reason_fails(self):
        for case in (MUTE, MISSING, DISABLED):
            with self.subTest(case=case):
                code, lines = self.counted(dev=[PASSED, case])
                self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))
                self.assertEqual([line for line in lines if line.startswith("skipped")], [])

    def test_results_that_are_missing_or_empty_fail(self):
        for cases in (None, []):
            self.assertEqual(self.counted(dev=cases)[1][-1], "0 passed, 1 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
