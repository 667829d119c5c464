#!/usr/bin/env python3
"""Measure what RESULTS.md reports: run.py [--peer COMMAND] > table

Builds nothing: `cmake --preset release && cmake --build --preset release` first. Inputs are made by
tests/support/make_scale_graph.py into a RAM file system (/dev/shm). Every figure is the best of five;
peers run in the same call. Loads are compared with libprotobuf's Arena parse of the same bytes
(bench_load), whole rewrites with COMMAND GRAPH OUT, if one is given.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tests/support/make_scale_graph.py"
BUILD = ROOT / "build/release"
PARAMETERS = ["--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "2"]
RUNS = 5


def best_load(graph):
    """Milliseconds of the Arena parse, of our load, and of the complete levels."""
    done = subprocess.run([BUILD / "tests/bench/bench_load", graph, f"--benchmark_repetitions={RUNS}",
                           "--benchmark_format=json"], capture_output=True, text=True, check=True)
    best = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry["run_type"] == "iteration":
            kind = entry["name"].split("/")[0]
            best[kind] = min(best.get(kind, 1e9), entry["cpu_time"])
    return best["arena_parse"], best["load"], best["levels"]


def process(command):
    """Best wall and best CPU seconds of a whole process, and its peak memory in MB."""
    best, best_cpu, peak = 1e9, 1e9, 0
    for _ in range(RUNS):
        start = time.monotonic()
        child = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        best = min(best, time.monotonic() - start)
        best_cpu = min(best_cpu, usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss / 1024)
        if status != 0:
            sys.exit(f"failed: {command}")
    return best, best_cpu, peak


def main():
    peer = sys.argv[2] if sys.argv[1:2] == ["--peer"] else None
    tideline = BUILD / "app/tideline"
    # One core, as the issue of a figure asks for: the scheduler shall not hide a second thread.
    os.sched_setaffinity(0, {0})
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = pathlib.Path(name)
        graphs = {"transformer": ROOT / "tests/data/graphs/transformer.meta"}
        for size in ("10k", "100k", "100k_deep", "1m"):
            graphs[size] = folder / f"{size}.pb"
            subprocess.run([sys.executable, GENERATOR, graphs[size], size],
                           check=True, stdout=subprocess.DEVNULL)
        print("| load | MB | Arena parse ms | ours ms | ratio | complete levels ms |")
        print("|---|---|---|---|---|---|")
        for size in ("10k", "100k", "1m"):
            parse, load, levels = best_load(graphs[size])
            print(f"| {size} | {graphs[size].stat().st_size / 1e6:.1f} | {parse:.1f} | {load:.2f} | "
                  f"{load / parse:.2f} | {levels:.2f} |", flush=True)
        print("\n| `rewrite lms2`, whole process | seconds | CPU s | peak MB | 3 x file + 30 MB |" +
              (" peer CPU s | ratio |" if peer else ""))
        print("|---|---|---|---|---|" + ("---|---|" if peer else ""))
        for size, graph in graphs.items():
            out = folder / ("out" + graph.suffix)
            seconds, cpu, peak = process([tideline, "rewrite", "lms2", graph, "-o", out, "--force",
                                     "--quiet", *PARAMETERS])
            allowed = 3 * graph.stat().st_size / 2**20 + 30
            row = f"| {size} | {seconds:.3f} | {cpu:.3f} | {peak:.0f} | {allowed:.0f} |"
            if peer:
                small = size == "transformer"
                theirs = process([*peer.split(), graph, out])[1] if small else None
                row += f" {theirs:.1f} | {cpu / theirs:.4f} |" if small else " | |"
            print(row, flush=True)
        print("\n| whole process | seconds | CPU s | peak MB |\n|---|---|---|---|")
        for verb in ("inspect", "levels"):
            seconds, cpu, peak = process([tideline, verb, graphs["1m"]])
            print(f"| `{verb}` of 1m | {seconds:.3f} | {cpu:.3f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
