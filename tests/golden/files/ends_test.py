#!/usr/bin/env python3
"""However the program ends while it writes, the outputs are old or new, and nothing stays behind.

    ends_test.py TIDELINE [LIBRARY_OF_watched_files.c]
"""
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time

from common import (IS_LONG, LMS, MODEL, PATIENCE_S, PROGRAM, ROOT, SAMPLE, WATCHER, content, entries, make_old, model_at,
                    run, succeeds, temporary, tideline, watched)

sys.path.insert(0, str(ROOT / "tests/support"))
import wire  # noqa: E402

KILLS = 500 if IS_LONG else 25  # of each job
LARGE = 256 << 20  # of a file that is copied: long enough to send a signal meanwhile


def large_model(folder):
    model = model_at(folder / "model")
    with open(model / "variables/variables.data-00001-of-00002", "wb") as file:
        file.truncate(LARGE)
    return model


def copied(folder):
    """How much of the large file is in the temporary folder; none before it is begun."""
    return [path.stat().st_size for path in folder.glob(".copy.tideline-*/variables/.variables.data-00001*")]


def handling(hang_up=signal.SIG_DFL):
    """For the program: what signals do, whatever they do to this process, which may be in the background."""
    def set_up():
        signal.signal(signal.SIGHUP, hang_up)
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    return set_up


def in_the_middle(folder, *words, preexec_fn=handling()):
    """The program, stopped while it writes; again, if it was over before."""
    end = time.monotonic() + PATIENCE_S
    while True:
        assert time.monotonic() < end, "it is always over before anybody looks"
        program = subprocess.Popen([PROGRAM, "convert", "model", "-o", "copy", *words], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=preexec_fn)
        while not any(copied(folder)) and program.poll() is None:
            time.sleep(0.001)
        program.send_signal(signal.SIGSTOP)
        if 0 < sum(copied(folder)) < LARGE:
            return program
        program.kill()
        program.communicate()
        for path in temporary(folder):
            shutil.rmtree(path)
        if not words:
            shutil.rmtree(folder / "copy", ignore_errors=True)


def stopped(folder, number, **options):
    """Exit code and message of the program, given a signal in the middle of its work."""
    program = in_the_middle(folder, **options)
    program.send_signal(number)
    program.send_signal(signal.SIGCONT)
    said = program.communicate(timeout=PATIENCE_S)[1]
    return program.returncode, said


def a_signal_leaves_nothing_behind(folder):
    large_model(folder)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        code, said = stopped(folder, number)
        assert code == 130 and said == "tideline: interrupted\n", (number, code, said)
        assert entries(folder) == ["model"], (number, entries(folder))


def what_nohup_started_goes_on(folder):
    large_model(folder)
    code, said = stopped(folder, signal.SIGHUP, preexec_fn=handling(signal.SIG_IGN))
    assert code == 0, (code, said)
    assert entries(folder) == ["copy", "model"]


def what_a_killed_process_left_is_removed_by_the_next(folder):
    large_model(folder)
    code, _ = stopped(folder, signal.SIGKILL)
    assert code == -signal.SIGKILL and len(temporary(folder)) == 1, (code, entries(folder))
    # Somebody else's, and that of a process that runs.
    others = [folder / ".mine.tideline-notes", folder / f".out.meta.tideline-{os.getpid()}-abcdef"]
    for path in others:
        path.write_text("stays")
    succeeds(tideline(folder, "convert", SAMPLE, "-o", "out.meta"))
    assert entries(folder) == sorted(["model", "out.meta", *(path.name for path in others)]), entries(folder)


def a_file_beside_a_killed_write_is_old(folder):
    large_model(folder)
    old = folder / "copy"
    succeeds(tideline(folder, "convert", SAMPLE, "-o", "copy"))
    before = (old / "saved_model.pb").read_bytes()
    program = in_the_middle(folder, "--force")
    program.kill()
    program.communicate(timeout=PATIENCE_S)
    assert entries(old) == ["saved_model.pb"] and (old / "saved_model.pb").read_bytes() == before
    succeeds(tideline(folder, "convert", SAMPLE, "-o", "copy", "--force"))
    assert entries(folder) == ["copy", "model"]


def killed_at_any_moment_outputs_are_old_or_new(folder):
    jobs = ((("rewrite", "lms2", SAMPLE, "-o", "out.meta", "--plan-json", "plan.json", *LMS), ("out.meta", "plan.json")),
            (("convert", MODEL, "-o", "model"), ("model",)))
    chance = random.Random(1)
    for words, names in jobs:
        begin = time.monotonic()
        succeeds(tideline(folder, *words))
        seconds = time.monotonic() - begin
        new = {name: content(folder / name) for name in names}
        for _ in range(KILLS):
            for name in names:
                make_old(folder / name)
            old = {name: content(folder / name) for name in names}
            program = subprocess.Popen([PROGRAM, *map(str, words), "--force", "--quiet"], cwd=folder,
                                       stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.2, 1.1) * seconds)
            program.kill()
            program.wait(PATIENCE_S)
            for name in names:
                assert content(folder / name) in (old[name], new[name]), name
            succeeds(tideline(folder, *words, "--force"))
            assert not temporary(folder), entries(folder)


def an_array_of_16_gib(folder):
    """A checkpoint of one tensor that takes no space: holes are read as zeros."""
    size = 16 << 30
    made = folder / "zeros"
    made.mkdir()
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({size},), }}".encode().ljust(117) + b"\n"
    with open(made / "t.npy", "wb") as file:
        file.write(b"\x93NUMPY\1\0\x76\0" + head)
        file.truncate(128 + size)


def an_interrupt_ends_work_on_one_large_tensor(folder):
    an_array_of_16_gib(folder)
    for words in (("cat", "zeros", "t"), ("cat", "zeros", "t", "--json"), ("cat", "zeros", "t", "-o", "out.npy"),
                  ("convert", "zeros", "-o", "out"), ("convert", "zeros", "-o", "out.safetensors"),
                  ("convert", "zeros", "-o", "out.npy"), ("stat", "zeros"), ("verify", "zeros"), ("diff", "zeros", "zeros")):
        program = subprocess.Popen([PROGRAM, "checkpoint", *words], cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, preexec_fn=handling())
        time.sleep(0.4)  # somewhere in the middle: it takes many seconds
        assert program.poll() is None, words
        program.send_signal(signal.SIGINT)
        begin = time.monotonic()
        said = program.communicate(timeout=PATIENCE_S)[1]
        seconds = time.monotonic() - begin
        assert program.returncode == 130 and said == "tideline: interrupted\n", (words, program.returncode, said)
        assert seconds < 3, (words, seconds)
        assert entries(folder) == ["zeros"], (words, entries(folder))


def many_rows(folder, steps):
    """A log with 20 small tensors at each step."""
    tensor = wire.field(8, b"\x08\x01" + wire.field(2, wire.field(2, b"\x08\x04")) + wire.field(4, bytes(16)))
    values = b"".join(wire.field(1, wire.field(1, f"tag{i}") + tensor) for i in range(20))
    records = [b"\x09" + struct.pack("<d", 1) + wire.field(3, "brain.Event:2")]
    records += [b"\x09" + struct.pack("<d", 1) + b"\x10" + wire.varint(step) + wire.field(5, values)
                for step in range(steps)]
    (folder / "log").mkdir()
    (folder / "log/events.out.tfevents.1.x").write_bytes(b"".join(map(wire.framed, records)))


def an_interrupt_ends_an_export_of_many_files(folder):
    many_rows(folder, 1000)
    program = subprocess.Popen([PROGRAM, "log", "export", "log", "-o", "out"], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, preexec_fn=handling())
    end = time.monotonic() + PATIENCE_S
    while not any(len(entries(path)) > 500 for path in folder.glob(".out.tideline-*/*/*")):
        assert program.poll() is None and time.monotonic() < end, "it is over before anybody looks"
        time.sleep(0.001)
    program.send_signal(signal.SIGINT)
    begin = time.monotonic()
    said = program.communicate(timeout=PATIENCE_S)[1]
    seconds = time.monotonic() - begin
    assert program.returncode == 130 and said == "tideline: interrupted\n", (program.returncode, said)
    assert seconds < 3, seconds
    assert entries(folder) == ["log"], entries(folder)


def many_files_are_flushed_together(folder):
    """One by one, that takes minutes, and so does removing them after an interrupt."""
    if not WATCHER:
        return
    many_rows(folder, 20)
    done, lines = watched(folder, "log", "export", "log", "-o", "out", "--quiet")
    succeeds(done)
    files = [path for path in (folder / "out").rglob("*") if path.is_file()]
    flushed = [line for line in lines if line.startswith("sync ")]
    assert len(files) == 400 and len(flushed) < 40, (len(files), len(flushed))


run(a_signal_leaves_nothing_behind, an_interrupt_ends_work_on_one_large_tensor,
    an_interrupt_ends_an_export_of_many_files, many_files_are_flushed_together, what_nohup_started_goes_on,
    what_a_killed_process_left_is_removed_by_the_next, a_file_beside_a_killed_write_is_old,
    killed_at_any_moment_outputs_are_old_or_new)
