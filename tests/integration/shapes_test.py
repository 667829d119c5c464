#!/usr/bin/env python3
"""Shapes inferred for graphs of many kinds are those that a real TensorFlow infers.

shape_models.py builds each graph with and without recorded shapes, with control flow as ops and as
functions. What is inferred for the bare one must contradict nothing, and be as good for 99 %.
"""
import csv
import os
import pathlib
import subprocess
import sys

import common

# What only the Python code that built the graph knew: a default that may be fed otherwise (sparse), a
# length that was handed on beside the graph (tensor_arrays).
LEAST = {"tensor_arrays": 0.98}


def tensors(path):
    lines = common.tideline("inspect", path, "--tensors", "--csv").stdout.splitlines()
    return {row["tensor"]: row for row in csv.DictReader(lines)}


def dims(text):
    return None if text == "?" else [d for d in text.strip("[]").split(",") if d]


def compare(name, recorded, inferred):
    total = good = 0
    problems = []
    for tensor, row in recorded.items():
        want, got = dims(row["shape"]), dims(inferred[tensor]["shape"])
        if want is None:
            continue
        total += 1
        text = f"{name}: {row['op_type']} {tensor}: recorded {row['shape']}, inferred {inferred[tensor]['shape']}"
        if got is None:
            continue
        if len(got) != len(want) or any("?" not in (a, b) and a != b for a, b in zip(want, got)):
            problems.append(text)
        elif all(b != "?" or a == "?" for a, b in zip(want, got)):
            good += 1
    if good < LEAST.get(name, 0.99) * total:
        problems.append(f"{name}: only {good} of {total} shapes are as good as recorded")
    return total, good, problems


def main():
    common.need_tensorflow()
    models = pathlib.Path(__file__).with_name("shape_models.py")
    all_total = all_good = 0
    problems = []
    for functional in ("0", "1"):
        with common.temporary_folder() as folder:
            subprocess.run([common.TENSORFLOW, models, folder], check=True, capture_output=True,
                           env={**os.environ, "TIDELINE_FUNCTIONAL": functional}, timeout=600)
            for path in sorted(pathlib.Path(folder).glob("*.bare.pb")):
                name = path.name.removesuffix(".bare.pb")
                total, good, found = compare(name, tensors(path.with_name(name + ".pb")), tensors(path))
                all_total += total
                all_good += good
                problems += found
    print(f"{all_good} of {all_total} shapes are as good as recorded")
    if problems or all_total < 20000:
        sys.exit("\n".join(problems) or "too few graphs were built")


main()
