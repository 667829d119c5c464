#!/usr/bin/env python3
"""A log that another process writes at 10,000 events a second is followed: nothing is lost, the lag stays
below a second, and while nothing comes the program hardly runs."""
import os
import pathlib
import signal
import subprocess
import sys
import time

import common

EVENTS_PER_SECOND, SECONDS = 10_000, 4
SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"

# Writes records of one scalar each, in bursts as a buffered writer does; the value is the step.
WRITE = """
import os, struct, sys, time
from wire import framed, varint
path, rate, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
# What does not change from event to event is prepared: Python computes checksums slowly.
def record(step, now):
    value = b"\\x0a\\x04loss\\x15" + struct.pack("<f", step)
    data = b"\\x09" + struct.pack("<d", now) + b"\\x10" + varint(step)
    data += b"\\x2a" + varint(len(value) + 2) + b"\\x0a" + varint(len(value)) + value
    return framed(data)
with open(path, "ab", 0) as out:
    start = time.time()
    step = 0
    while step < rate * seconds:
        due = min(int((time.time() - start) * rate), int(rate * seconds))
        if due == step:
            time.sleep(0.002)
            continue
        burst = b"".join(record(i, time.time()) for i in range(step, min(due, step + 500)))
        half = len(burst) // 2 + 1    # never at a boundary between records
        out.write(burst[:half])
        out.write(burst[half:])
        step = min(due, step + 500)
    print(step, time.time() - start, flush=True)
"""


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def quietest(pid):
    """The share of a core that the process uses, in the best of some seconds: it is counted in ticks of 10 ms, and a
    busy machine lets each look at the file take longer."""
    shares = []
    for _ in range(12):
        before = cpu_seconds(pid)
        time.sleep(2.5)
        shares.append((cpu_seconds(pid) - before) / 2.5)
        if shares[-1] < 0.01:
            break
    return min(shares)


def main():
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        (folder / "log").mkdir()
        path = folder / "log/events.out.tfevents.1"
        path.write_bytes(b"")
        follow = subprocess.Popen([common.PROGRAM, "log", "scalars", str(folder / "log"), "--csv", "--follow"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            assert follow.stdout.readline() == "run,tag,step,wall_time,value\n"
            writer = subprocess.Popen([sys.executable, "-c", WRITE, str(path), str(EVENTS_PER_SECOND), str(SECONDS)],
                                      stdout=subprocess.PIPE, text=True,
                                      env={**os.environ, "PYTHONPATH": str(SUPPORT)})
            lags = []
            total = EVENTS_PER_SECOND * SECONDS
            for step in range(total):
                run, tag, got, written, value = follow.stdout.readline().rstrip("\n").split(",")
                assert (run, tag, int(got), float(value)) == (".", "loss", step, step), (step, got, value)
                lags.append(time.time() - float(written))
            took = float(writer.communicate()[0].split()[1])
            assert max(lags) < 1, f"a lag of {max(lags):.2f} s"
            idle = quietest(follow.pid)
            assert idle < 0.01, f"{100 * idle:.1f} % of a core while nothing comes"
        finally:
            follow.send_signal(signal.SIGINT)
            code = follow.wait(timeout=10)
        assert code == 130, code
    print(f"{total} events in {took:.1f} s, none lost; lag at most {max(lags):.2f} s, idle {100 * idle:.2f} % of a core")


if __name__ == "__main__":
    sys.exit(main())
