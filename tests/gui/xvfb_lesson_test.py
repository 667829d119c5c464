"""A lesson in a real window, opened by its path: the wrong way first, then with the hint, a guess and Show me.

Under Xvfb, as xvfb_test.py. Skipped (77) without Xvfb or xdotool.
"""

import pathlib
import sys
import tempfile

from xvfb_test import ROOT, Window, need_display

LESSON = ROOT / "assets/tutorials/lessons/03_first_swap.lesson"
END_S = 20


def drive(window):
    window.middle("lesson/title")
    window.until("the graph of the lesson", lambda items, _: "policy/swapout threshold" in items)
    window.click_until("lesson/Next", "lesson/problem")
    window.middle("lesson/hint text")
    window.click_until("lesson/Show me", "lesson/done")
    window.click_until("lesson/Next", "lesson/guess")
    window.click("lesson/guess")
    window.type_over(4)
    window.click_until("lesson/Guess", "lesson/your guess")
    window.click_until("lesson/Show me", "lesson/answer")
    window.click("lesson/Back")
    window.until("the first step again", lambda items, _: "lesson/your guess" not in items and "lesson/done" not in items)
    window.click("lesson/End")
    window.until("no lesson", lambda items, _: "lesson/title" not in items)
    # What the learner did to the graph of the lesson is nobody's work.
    window.press("ctrl", "q")
    assert window.program.wait(END_S) == 0, window.program.stderr.read()


def main(program):
    need_display()
    with tempfile.TemporaryDirectory() as name:
        window = Window(program, [str(LESSON)], pathlib.Path(name))
        try:
            drive(window)
        finally:
            window.close()


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
