"""A window takes up where the last one left a graph.

Under Xvfb, as xvfb_test.py: a policy is chosen and changed in one window, which ends by a signal; the next one has it
at once, and writes what the first would have written. Skipped (77) without Xvfb or xdotool.
"""

import pathlib
import shutil
import sys
import tempfile
import time

from xvfb_test import LOOK_AGAIN_S, PATIENCE_S, SAMPLE, Window, need_display, never_swap, options_of, unwritten_words, value_of

THRESHOLD = "policy/swapout threshold"


def session_with(path, words):
    """The lines of the session file as soon as it has these words."""
    end = time.monotonic() + PATIENCE_S
    while not (path.exists() and words in path.read_text()):
        assert time.monotonic() < end, f"{path} does not get {words!r}"
        time.sleep(LOOK_AGAIN_S)
    return path.read_text().splitlines()


def main(program):
    need_display()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graph = folder / "graph.meta"
        shutil.copy(SAMPLE, graph)
        session = folder / "graph.meta.tideline"
        window = Window(program, [str(graph)], folder)
        try:
            window.settled()
            assert not session.exists(), "a session file of a graph in which nothing was changed"
            window.choose("policy/mode", "policy/mode/lms2", THRESHOLD)
            window.drag(THRESHOLD, 30)
            wanted = value_of(options_of(unwritten_words(folder), graph), "--swapout-threshold")
            lines = session_with(session, f"policy.set swapout-threshold {wanted}")
        finally:
            window.close()
        assert lines[0].startswith("# tideline session, sha256 "), lines
        (folder / "trace.jsonl").unlink()
        window = Window(program, [str(graph)], folder)
        try:
            window.until("the policy of the last window", lambda items, _: THRESHOLD in items)
            window.settled()
            # A change shows what the rest of the policy is.
            never_swap(window, "conv1")
            options = options_of(unwritten_words(folder), graph)
            assert value_of(options, "--swapout-threshold") == wanted, (wanted, options)
            session_with(session, "conv1")
        finally:
            window.close()
    print("chosen in one window, taken up by the next")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
