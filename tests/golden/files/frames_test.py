#!/usr/bin/env python3
"""Frames of a step: whole files, one a moment, or nothing.

    frames_test.py TIDELINE
"""
import itertools
import signal
import struct
import subprocess
import time

from common import LMS, PATIENCE_S, PROGRAM, SAMPLE, entries, fails, run, succeeds, temporary, tideline

LOOK = ("--size", "480x300", *LMS)


def draws_png(folder):
    done = tideline(folder, "render", SAMPLE, "--record", "probe", "--frames", "1", *LOOK)
    assert done.returncode == 0 or "cannot draw PNG" in done.stderr, done
    return done.returncode == 0


def record(folder, *words):
    return tideline(folder, "render", SAMPLE, "--record", "frames", *LOOK, *words)


def frames_are_whole_and_differ(folder):
    if not draws_png(folder):
        return  # a build without the window
    done = succeeds(record(folder, "--frames", "6"))
    assert done.stdout == "wrote frames: 6 frames\n", done
    frames = folder / "frames"
    assert entries(frames) == [f"frame_{i:04}.png" for i in range(1, 7)]
    content = {path.name: path.read_bytes() for path in frames.iterdir()}
    for name, png in content.items():
        assert png[:8] == b"\x89PNG\r\n\x1a\n" and png.endswith(b"IEND\xaeB`\x82"), name
        assert struct.unpack(">II", png[16:24]) == (480, 300), name
    for (one, a), (other, b) in itertools.combinations(content.items(), 2):
        assert a != b, (one, other)
    # The same again is the same, and replaces only when told to.
    fails(record(folder, "--frames", "6"), "frames: exists", "--force")
    succeeds(record(folder, "--frames", "6", "--force"))
    assert {path.name: path.read_bytes() for path in frames.iterdir()} == content
    # Other levels, another view.
    succeeds(record(folder, "--range", "20:22", "--view", "memory", "--force"))
    assert entries(frames) == [f"frame_{i:04}.png" for i in (1, 2, 3)]
    assert not temporary(folder)


def what_is_no_recording_is_not_replaced(folder):
    if not draws_png(folder):
        return
    (folder / "frames").mkdir()
    (folder / "frames/notes.txt").write_text("mine")
    fails(record(folder, "--frames", "2", "--force"), "frames: holds 'notes.txt'")
    assert entries(folder / "frames") == ["notes.txt"]


def an_interrupted_recording_leaves_nothing(folder):
    if not draws_png(folder):
        return
    before = entries(folder)
    program = subprocess.Popen([PROGRAM, "render", str(SAMPLE), "--record", "frames", *LOOK, "--frames", "5000"],
                               cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE_S
    while not any(list(path.glob("frame_*")) for path in temporary(folder)):
        assert program.poll() is None and time.monotonic() < end, program
        time.sleep(0.02)
    program.send_signal(signal.SIGINT)
    said = program.communicate(timeout=PATIENCE_S)[1]
    assert program.returncode == 130, (program.returncode, said)
    assert entries(folder) == before, entries(folder)


def wrong_words_say_what_was_expected(folder):
    for words, said in (((), "--output is required, or --record"),
                        (("--record", "frames", "--view", "fit", "--device-memory", "1GiB"), "expected levels, memory or both"),
                        (("--record", "frames", "--view", "timeline"), "expected levels, memory or both"),
                        (("--record", "frames", "-o", "a.svg"), "--output"), (("-o", "a.svg", "--frames", "3"), "--record"),
                        (("--record", "frames", "--frames", "0"), "from 1 to 100000")):
        done = tideline(folder, "render", SAMPLE, *words)
        assert done.returncode == 2 and said in done.stderr, done
    assert not entries(folder)


run(frames_are_whole_and_differ, what_is_no_recording_is_not_replaced, an_interrupted_recording_leaves_nothing,
    wrong_words_say_what_was_expected)
