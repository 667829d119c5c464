"""A disk that is full, and files that change under an open graph, seen through `tideline script`.

The disk is full by a limit on the size of files: writing fails as on a full disk, and needs no rights.
"""

import fcntl
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets/samples/tutorial_mnist.meta"
POLICY = ["policy.mode lms2", "policy.set swapout-threshold 10"]
PATIENCE_S = 60
LOOK_AGAIN_S = 0.05  # nothing tells that a pipe is full: it is looked at again and again
PRINTS = 3000
FULL_PIPE_BYTES = 32768


def limited(limit_bytes):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write fails instead: EFBIG
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
    return limit


def script(program, graph, lines, folder, limit_bytes=None):
    return subprocess.run([program, "script", graph, "-"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, cwd=folder,
                          preexec_fn=limited(limit_bytes) if limit_bytes else None)


def check_full_disk(program, folder):
    for action, name in (("file.write", "out.meta"), ("file.write-plan", "plan.json"),
                         ("file.write-csv", "swaps.csv"), ("file.write-log", "log"),
                         ("file.write-picture", "window.png"),
                         ("file.write-picture", "levels.svg levels")):
        place = folder / action
        place.mkdir(exist_ok=True)
        done = script(program, SAMPLE, [*POLICY, f"{action} {name}", "print result"], place, 1024)
        assert done.returncode == 1, (action, name, done)
        assert done.stderr.startswith("tideline: standard input:3: ") and name.split()[0] in done.stderr, done
        assert "too large" in done.stderr and done.stderr.count("\n") == 1, done
        left = sorted(str(path) for path in place.rglob("*"))
        assert not left, (action, left)
        print(action, name, "said:", done.stderr.strip())


def check_old_file_stays(program, folder):
    path = folder / "old.meta"
    path.write_text("old")
    done = script(program, SAMPLE, [*POLICY, "file.write old.meta force"], folder, 1024)
    assert done.returncode == 1 and path.read_text() == "old", done


def check_cut(program, folder):
    """The graph is opened, cut in place by another process, planned, written, and read again."""
    wanted = folder / "wanted.meta"
    done = script(program, SAMPLE, [*POLICY, f"file.write {wanted}"], folder)
    assert done.returncode == 0, done
    for how in ("cut", "overwritten"):
        graph, written = folder / f"{how}.meta", folder / f"{how}_out.meta"
        shutil.copy(SAMPLE, graph)
        done = during_open(program, graph, how, folder,
                           [*POLICY, f"file.write {written}", "file.reload"])
        assert done.returncode == 1, (how, done)  # and not by SIGBUS
        assert f":{PRINTS + len(POLICY) + 2}: file.reload: {graph}" in done.stderr, (how, done.stderr)
        assert written.read_bytes() == wanted.read_bytes(), how
        print(how, "said:", done.stderr.strip())


def during_open(program, graph, how, folder, lines):
    """Runs lines on a graph that changes after it was opened: the program waits in between, because
    nobody reads what it prints."""
    prints = ["print state"] * PRINTS
    running = subprocess.Popen([program, "script", graph, "-"], stdin=subprocess.PIPE, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
    running.stdin.write("\n".join([*prints, *lines]) + "\n")
    running.stdin.close()
    running.stdin = None
    end = time.monotonic() + PATIENCE_S
    while waiting_bytes(running.stdout) < FULL_PIPE_BYTES:
        assert running.poll() is None and time.monotonic() < end, "it does not print"
        time.sleep(LOOK_AGAIN_S)
    with open(graph, "r+b") as file:
        if how == "cut":
            file.truncate(100)
        else:
            file.write(b"\xff" * graph.stat().st_size)
    out, err = running.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)


def waiting_bytes(pipe):
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_full_disk(program, folder)
        check_old_file_stays(program, folder)
        check_cut(program, folder)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
