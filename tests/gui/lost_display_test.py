"""The display goes away under the window, or a signal ends it: nothing that was wanted is lost.

Under Xvfb: opens the tutorial's graph, drags the threshold, kills the server, or sends the signal. The program ends by
itself with exit code 1, or 130 after a signal, and says what it kept; the script that it kept writes the graph; the next window
says that there is one. Skipped (77) without Xvfb or xdotool.
"""

import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from xvfb_test import SAMPLE, Window, need_display, unwritten_script, unwritten_words

END_S = 20


def end(program, folder, how, exit_code):
    # By a path that means something only where the program was started.
    window = Window(program, [SAMPLE.name], folder)
    try:
        window.settled()
        window.choose("policy/mode", "policy/mode/lms2", "policy/swapout threshold")
        window.drag("policy/swapout threshold", 15)
        unwritten_words(folder)
        how(window)
        assert window.program.wait(END_S) == exit_code, window.program.returncode
        return window.program.stderr.read(), unwritten_script(folder)
    finally:
        window.close()


def lose_display(window):
    window.server.kill()
    window.server.wait()


def check_said(said, script, why):
    lines = [line for line in said.splitlines() if line.startswith("tideline: ")]
    assert len(lines) == 1, said
    assert why in lines[0] and str(script) in lines[0], said


def check_script(program, script, folder):
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    path = f"{pathlib.Path(program).parent}:{os.environ['PATH']}"
    subprocess.run(["sh", script], cwd=elsewhere, check=True, env=dict(os.environ, PATH=path),
                   stdout=subprocess.DEVNULL)
    written = folder / "tutorial_mnist_lms.meta"
    assert written.exists() and written.stat().st_size > SAMPLE.stat().st_size


def check_offered(program, folder, script):
    before = script.read_text()
    kept = script.with_name("unwritten-before-1.sh")
    window = Window(program, [], folder)
    try:
        window.until("a message", lambda items, _: "status/messages" in items)
        assert kept.read_text() == before and not script.exists()
        window.click_until("unwritten/Restore", "policy/swapout threshold")
        window.settled()
        # As the first window had it.
        again = unwritten_words(folder)
        assert again == shlex.split(before.splitlines()[-1]), (again, before)
    finally:
        window.close()


def main(program):
    need_display()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(SAMPLE, folder)
        said, script = end(program, folder, lose_display, 1)
        check_said(said, script, "display was lost")
        check_script(program, script, folder)
        check_offered(program, folder, script)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(SAMPLE, folder)
            said, script = end(program, folder, lambda window: window.program.send_signal(number), 130)
            check_said(said, script, "ended by a signal")
            assert not list(folder.rglob("*tideline-*")), list(folder.rglob("*"))
    print("ended, kept, wrote, and offered")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
