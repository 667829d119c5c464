#!/usr/bin/env python3
"""What tideline.tmci costs in a TensorFlow process, for a gigabyte in 26 variables: the op with a backend that does
nothing, saving and loading with the backend `file` beside TensorFlow's own, and saving in the background. Run by a
Python with TensorFlow and the package of plugins/tensorflow:

    tensorflow_ops.py FOLDER [ROUNDS]

TensorFlow does not flush what it writes; that is done here, and counted, because ours is on disk, too.
"""
import json
import os
import pathlib
import statistics
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

from tideline.tmci import checkpoint, ops

FOLDER = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5


def timed(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def flush(path):
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


class no_output:
    """The backend `dummy` prints, here into nothing."""

    def __enter__(self):
        sys.stdout.flush()
        self.kept, none = os.dup(1), os.open(os.devnull, os.O_WRONLY)
        os.dup2(none, 1)
        os.close(none)

    def __exit__(self, *_):
        os.dup2(self.kept, 1)
        os.close(self.kept)


def main():
    size = (1 << 30) // 26 // 4
    variables = [tf.Variable(np.full(size, i, np.float32)) for i in range(26)]
    names = [f"v{i}" for i in range(26)]
    theirs = tf.train.Checkpoint(variables=variables)
    prefix, their_prefix = os.path.join(FOLDER, "bench_ours"), os.path.join(FOLDER, "bench_tensorflow")
    background = json.dumps({"path": os.path.join(FOLDER, "bench_background"), "async": True})

    def save_theirs():
        theirs.write(their_prefix)
        for path in pathlib.Path(FOLDER).glob("bench_tensorflow.*"):
            flush(path)
        flush(FOLDER)

    figures = {}

    def take(name, work, times=1):
        for _ in range(times):
            figures.setdefault(name, []).append(timed(work))

    for number in range(ROUNDS + 1):
        if number == 1:
            figures.clear()  # the first round opens backends and files
        with no_output():
            take("op alone", lambda: ops.checkpoint(variables, "dummy", "", names), 20)
        take("save", lambda: ops.checkpoint(variables, "file", prefix, names))
        take("TensorFlow's and flush", save_theirs)
        take("load", lambda: ops.restore(variables, "file", prefix, names))
        take("TensorFlow's load", lambda: theirs.read(their_prefix).assert_consumed())
        take("save in background", lambda: ops.checkpoint(variables, "file", background, names))
        checkpoint.wait("file", background)
    # Loads in a row, with nothing to write meanwhile; the seconds of all threads, too.
    for name, work in (("loads in a row", lambda: ops.restore(variables, "file", prefix, names)),
                       ("TensorFlow's in a row", lambda: theirs.read(their_prefix).assert_consumed())):
        for number in range(ROUNDS + 1):
            began = time.process_time()
            took = timed(work)
            if number > 0:
                figures.setdefault(name, []).append(took)
                figures.setdefault(name + ", CPU", []).append((time.process_time() - began) * 1000)
    for name, times in figures.items():
        print(f"{name:26} median {statistics.median(times):9.2f} ms, from {min(times):.2f} to {max(times):.2f}")


main()
