#!/usr/bin/env python3
"""Every verb under every limit of the address space (ulimit -v) does its work or says what it lacks: nothing crashes or hangs,
and nothing half written is left.

    limits_test.py TIDELINE
"""
import resource
import subprocess

from common import IS_LONG, PATIENCE_S, PROGRAM, ROOT, SAMPLE, run, succeeds, temporary, tideline

LOG = ROOT / "tests/data/logs/tf2_keras"
CHECKPOINT = ROOT / "tests/data/checkpoints/small/ckpt"
LMS = ("--swapout-threshold", "50", "--swapin-ahead", "3", "--swapin-groupby", "2")
FIRST_MB, LAST_MB, STEP_MB = 60, 420, 10 if IS_LONG else 60
PICTURES_MB = range(220, 420, 5 if IS_LONG else 20)
VERBS = (("inspect", SAMPLE, "--structure", "--json"), ("convert", SAMPLE, "-o", "one.pb", "--force"),
         ("simulate", SAMPLE, "--batch-size", "10"), ("diff", SAMPLE, SAMPLE), ("levels", SAMPLE),
         ("tune", SAMPLE, "--batch-size", "10", "--device-memory", "400KiB"),
         ("rewrite", "lms2", SAMPLE, "-o", "two.pb", "--force", *LMS), ("log", "ls", LOG), ("log", "cat", LOG),
         ("log", "export", LOG, "-o", "exported"), ("checkpoint", "ls", CHECKPOINT), ("checkpoint", "verify", CHECKPOINT),
         ("checkpoint", "stat", CHECKPOINT), ("checkpoint", "convert", CHECKPOINT, "-o", "three", "--force"),
         ("checkpoint", "convert", CHECKPOINT, "-o", "four.npy", "--force"),
         ("render", SAMPLE, "--batch-size", "10", "-o", "five.svg", "--force"), ("rewriters",))
PICTURES = (("render", SAMPLE, "--batch-size", "10", "-o", "six.png", "--force"),
            ("rewrite", "lms2", SAMPLE, "-o", "seven.pb", "--force", "--tb", "log", *LMS))


def limited(folder, words, megabytes):
    limit = megabytes << 20
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=2 * PATIENCE_S,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


def ends_well(folder, words, megabytes):
    done = limited(folder, words, megabytes)
    what = (words[:2], megabytes, done.returncode, done.stderr)
    if done.returncode == 127 or "error while loading shared libraries" in done.stderr:
        return False  # the loader ended it
    assert done.returncode in (0, 1, 3), what
    assert done.returncode != 1 or done.stderr.startswith("tideline: "), what
    assert done.returncode != 1 or "memory" in done.stderr or "folder" in done.stderr, what
    assert not temporary(folder), what
    return done.returncode != 1


def no_verb_crashes(folder):
    for words in VERBS:
        results = [ends_well(folder, words, megabytes) for megabytes in range(FIRST_MB, LAST_MB, STEP_MB)]
        assert any(results), words


def no_picture_crashes(folder):
    if "cannot draw PNG" in tideline(folder, *PICTURES[0]).stderr:
        print("  this build draws no PNG")
        return
    for words in PICTURES:
        for megabytes in PICTURES_MB:
            ends_well(folder, words, megabytes)
    succeeds(limited(folder, PICTURES[0], 4000))
    assert (folder / "six.png").read_bytes().startswith(b"\x89PNG")


run(no_verb_crashes, no_picture_crashes)
