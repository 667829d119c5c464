#!/usr/bin/env python3
"""Nothing of a worker stays behind, however a run ends. With the library of tests/support/fake_tensorflow.cc,
which hangs and crashes when an op's name says so; $TFDIR is its folder."""
import os
import pathlib
import signal
import subprocess
import sys
import time

import common

GRAPH = "\n".join(f'node {{ name: "{name}" op: "NoOp" }}' for name in
                  ("loss", "train", "hang", "abort", "orphan", "chatter")) + "\nversions { producer: 1482 }\n"
PATIENCE_S = 20


def workers_of(parent):
    """Process ids of the workers that a process started, by what they were told."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:3] == [b"--tensorflow-worker", str(parent).encode()]:
            found.append(int(entry.name))
    return found


def wait_for(what, condition):
    """Looks again and again: no process tells another one that it has come so far."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.01)


def started(folder, *words):
    """A run whose train op hangs, with its worker at work."""
    run = subprocess.Popen([common.PROGRAM, "run", str(folder / "graph.pbtxt"), "--loss", "loss", *words],
                           cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # A worker that crashes may be gone before anybody looks.
    wait_for("a worker starts", lambda: workers_of(run.pid) or run.poll() is not None)
    return run


def ends_with_its_parent(folder):
    hangs = pathlib.Path(os.environ["FAKE_TENSORFLOW_HANGS"])
    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        hangs.unlink(missing_ok=True)
        # It writes down that it has come so far, which it may not do without.
        run = started(folder, "--train", "hang", "--trace", "log", "--save-feeds", "feeds", "--allow-io")
        wait_for("it is in the step", hangs.exists)
        run.send_signal(number)
        said = run.communicate(timeout=PATIENCE_S)
        assert run.returncode == (-9 if number == signal.SIGKILL else 130), (run.returncode, said)
        wait_for(f"the worker ends after {number!r}", lambda: not workers_of(run.pid))
        assert [path.name for path in folder.iterdir()] == ["graph.pbtxt"], sorted(folder.iterdir())


def a_second_interrupt_ends_it_too(folder):
    run = started(folder, "--train", "hang")
    run.send_signal(signal.SIGINT)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=PATIENCE_S)
    wait_for("the worker ends", lambda: not workers_of(run.pid))


def errors_leave_nothing(folder):
    for words, expected in ((["--train", "hang", "--time-limit", "0.5"], "step 0: stopped after the time limit"),
                            (["--train", "abort"], "step 0: the process that runs TensorFlow ended by signal 6"),
                            (["--train", "orphan"], "step 0: the process that runs TensorFlow ended with exit code 41")):
        begin = time.monotonic()
        run = started(folder, *words, "--trace", "log")
        said = run.communicate(timeout=PATIENCE_S)[1]
        assert run.returncode == 1 and expected in said, (run.returncode, said)
        assert time.monotonic() - begin < PATIENCE_S / 4  # by its own end, not because of anybody's patience
        assert not workers_of(run.pid)
        assert [path.name for path in folder.iterdir()] == ["graph.pbtxt"], sorted(folder.iterdir())
    done = common.tideline("compare", folder / "graph.pbtxt", folder / "graph.pbtxt", "--train", "hang", "--loss",
                           "loss", "--time-limit", "0.5", check=False)
    assert done.returncode == 1 and "time limit" in done.stderr, done.stderr


def a_full_disk_is_an_error(folder):
    """Writing the trace fails: nothing appears, and the exit code is that of a full disk."""
    run = subprocess.run([common.PROGRAM, "run", str(folder / "graph.pbtxt"), "--loss", "loss", "--train", "train",
                          "--trace", "/proc/log"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1 and "/proc/log" in run.stderr, (run.returncode, run.stderr)
    with open("/dev/full", "w") as full:
        run = subprocess.run([common.PROGRAM, "run", str(folder / "graph.pbtxt"), "--loss", "loss", "--train",
                              "chatter"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 1 and "standard output" in run.stderr, (run.returncode, run.stderr)


def a_worker_without_a_parent_does_nothing(folder):
    done = subprocess.run([common.PROGRAM, "--tensorflow-worker", "1"], cwd=folder, capture_output=True,
                          text=True, timeout=PATIENCE_S)
    assert done.returncode == 1, done


def main():
    for number in (signal.SIGHUP, signal.SIGQUIT):  # ignored in the background, and so by the program
        signal.signal(number, signal.SIG_DFL)
    if not os.environ.get("TFDIR"):
        sys.exit("TFDIR has to be the folder of the library for tests; ctest sets it")
    for test in (ends_with_its_parent, a_second_interrupt_ends_it_too, errors_leave_nothing,
                 a_full_disk_is_an_error, a_worker_without_a_parent_does_nothing):
        with common.temporary_folder() as name, common.temporary_folder() as beside:
            folder = pathlib.Path(name)
            os.environ["FAKE_TENSORFLOW_HANGS"] = str(pathlib.Path(beside) / "hangs")
            (folder / "graph.pbtxt").write_text(GRAPH, encoding="utf-8")
            test(folder)
            print(test.__name__, flush=True)


if __name__ == "__main__":
    sys.exit(main())
