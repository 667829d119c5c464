#!/usr/bin/env python3
"""A gigabyte in 26 variables, saved and loaded by TensorFlow, by safetensors and by the backend `file`, by turns on the same
disk; beside them the limit, a direct write of the same memory. Run by a Python with TensorFlow and safetensors:

    checkpoint_peer.py BENCH_CHECKPOINT FOLDER_OF_THE_PLUGIN FOLDER [ROUNDS]

TensorFlow and safetensors do not flush what they write; that is done here, and counted, because ours is on disk, too.
safetensors has no checksums.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from safetensors.numpy import load_file, save_file

BENCH, PLUGINS, FOLDER = sys.argv[1:4]
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 5


def bench(name):
    done = subprocess.run([BENCH, f"--benchmark_filter=^{name}(/|$)", "--benchmark_format=json",
                           "--benchmark_min_time=0.1"], capture_output=True, text=True, check=True,
                          env={**os.environ, "BENCH_FOLDER": FOLDER, "TIDELINE_PLUGINS": PLUGINS})
    found = json.loads(done.stdout)["benchmarks"][0]
    assert not found.get("error_occurred"), found
    return found["real_time"]


def flush(path):
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def timed(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def main():
    size = (1 << 30) // 26 // 4
    variables = [tf.Variable(np.full(size, i, np.float32)) for i in range(26)]
    checkpoint = tf.train.Checkpoint(variables=variables)
    prefix = os.path.join(FOLDER, "bench_tensorflow")

    def save():
        checkpoint.write(prefix)
        for path in pathlib.Path(FOLDER).glob("bench_tensorflow.*"):
            flush(path)
        flush(FOLDER)

    path = os.path.join(FOLDER, "bench.safetensors")

    def save_safetensors():
        save_file({f"variable_{i}": variable.numpy() for i, variable in enumerate(variables)}, path)
        flush(path)
        flush(FOLDER)

    def load_safetensors():
        loaded = load_file(path)
        for i, variable in enumerate(variables):
            variable.assign(loaded[f"variable_{i}"])

    figures = {name: [] for name in ("direct_write", "save", "TensorFlow and flush", "safetensors and flush", "load",
                                     "TensorFlow's load", "safetensors' load")}
    for _ in range(ROUNDS):
        figures["direct_write"].append(bench("direct_write"))
        figures["save"].append(bench("save"))
        figures["TensorFlow and flush"].append(timed(save))
        figures["safetensors and flush"].append(timed(save_safetensors))
        figures["load"].append(bench("load"))
        checkpoint.read(prefix)
        figures["TensorFlow's load"].append(timed(lambda: checkpoint.read(prefix).assert_consumed()))
        figures["safetensors' load"].append(timed(load_safetensors))
    for name, times in figures.items():
        print(f"{name:22} median {statistics.median(times):7.0f} ms, from {min(times):.0f} to {max(times):.0f}")


main()
