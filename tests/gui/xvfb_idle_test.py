"""A window that nobody touches uses no processor.

Under Xvfb, as xvfb_test.py: with a graph that has a plan, and with a log that is followed, what the program has used of
the processor is compared before and after a while without any event. Skipped (77) without Xvfb or xdotool.
"""

import os
import pathlib
import sys
import tempfile
import time

from xvfb_test import LOOK_AGAIN_S, PATIENCE_S, ROOT, SAMPLE, Window, need_display

# There is no event to wait for: that nothing happens needs some time to be seen. A followed log is looked at twice a second.
IDLE_S = 5
STILL_S = 2  # so long after its last frame a window has nothing left to do
MOST_SHARE = 0.01
LOG = ROOT / "tests/data/logs/tf1_mlp"


def used_s(pid):
    """Seconds of the processor that a process has used, its threads included."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def still(window):
    """Until nothing has been drawn for a while: a log has no state to wait for."""
    window.until("a frame", lambda items, state: items)
    size, since, end = -1, time.monotonic(), time.monotonic() + PATIENCE_S
    while time.monotonic() - since < STILL_S:
        assert time.monotonic() < end, "it goes on drawing"
        now = window.trace.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        time.sleep(LOOK_AGAIN_S)


def idle_share(window):
    before, began = used_s(window.program.pid), time.monotonic()
    time.sleep(IDLE_S)
    return (used_s(window.program.pid) - before) / (time.monotonic() - began)


def main(program):
    need_display()
    for path in (SAMPLE, LOG):
        with tempfile.TemporaryDirectory() as name:
            window = Window(program, [str(path)], pathlib.Path(name))
            try:
                still(window)
                at_work = used_s(window.program.pid)
                assert at_work > 0.05, f"{path.name}: {at_work} s until it stands is no work: nothing is measured"
                share = idle_share(window)
                assert share <= MOST_SHARE, f"{path.name}: {100 * share:.1f} % of a processor without an event"
            finally:
                window.close()
    print(f"at most {100 * MOST_SHARE:.0f} % of a processor over {IDLE_S} s, with a graph and with a log")


if __name__ == "__main__":
    main(sys.argv[1])
