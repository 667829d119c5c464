"""Two files in one window: tabs by mouse and keys, an undo of their own, and a question before leaving.

Under Xvfb, as xvfb_test.py. Skipped (77) without Xvfb or xdotool.
"""

import pathlib
import sys
import tempfile

from xvfb_test import ROOT, SAMPLE, Window, need_display, unwritten_script

OTHER = ROOT / "tests/data/graphs/mlp.meta"
FIRST_TAB, SECOND_TAB = f"documents/{SAMPLE.name}", f"documents/{OTHER.name}"
END_S = 20


def drive(window):
    window.middle(FIRST_TAB)
    window.settled()
    window.choose("policy/mode", "policy/mode/lms2", "policy/swapout threshold")
    window.click(SECOND_TAB)
    window.until("no policy in the second", lambda items, _: "policy/swapout threshold" not in items)
    window.press("ctrl", "Next")
    window.until("the first again", lambda items, _: "policy/swapout threshold" in items)
    window.press("ctrl", "Prior")
    window.until("the second again", lambda items, _: "policy/swapout threshold" not in items)
    window.press("ctrl", "q")
    window.middle("quit/Cancel")
    window.click("quit/Cancel")
    window.until("no question", lambda items, _: "quit/Cancel" not in items)
    window.click(f"{SECOND_TAB}/x")
    window.until("one document", lambda items, _: FIRST_TAB not in items)
    window.until("the first is left", lambda items, _: "policy/swapout threshold" in items)


def leave(window):
    window.press("ctrl", "q")
    x, y = window.middle("quit/Quit")
    window.xdo("mousemove", x, y, "sleep", 0.2, "click", 1)
    assert window.program.wait(END_S) == 0, window.program.stderr.read()


def sample(program, folder):
    """What ./app/run opens: planned, and left without a question."""
    window = Window(program, ["--sample"], folder)
    try:
        window.until("a planned graph", lambda items, _: "policy/swapout threshold" in items and "swaps/sum0:0" in items)
        window.press("ctrl", "q")
        assert window.program.wait(END_S) == 0, window.program.stderr.read()
    finally:
        window.close()


def function_of_a_model(program, folder):
    """The function behind a file is what is opened of it."""
    model = ROOT / "tests/data/saved_models/train_step"
    window = Window(program, [str(model), "--function", "__inference_train_step_138"], folder)
    try:
        window.until("the function's ops", lambda items, state: "open" in state and "scopes/ResourceApplyMomentum" in items)
    finally:
        window.close()


def main(program):
    need_display()
    with tempfile.TemporaryDirectory() as name:
        function_of_a_model(program, pathlib.Path(name))
    with tempfile.TemporaryDirectory() as name:
        sample(program, pathlib.Path(name))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        window = Window(program, [str(SAMPLE), str(OTHER)], folder)
        try:
            drive(window)
            leave(window)
        finally:
            window.close()
        assert unwritten_script(folder), "what was unwritten is not kept"
    print("two documents, a tab closed, asked and left")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
