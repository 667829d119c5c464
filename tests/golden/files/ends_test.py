#!/usr/bin/env python3
"""However the program ends while it writes, the outputs are old or new, and nothing stays behind.

    ends_test.py TIDELINE
"""
import os
import random
import shutil
import signal
import subprocess
import time

from common import (IS_LONG, LMS, MODEL, PATIENCE_S, PROGRAM, SAMPLE, content, entries, make_old, model_at, run, succeeds,
                    temporary, tideline)

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


run(a_signal_leaves_nothing_behind, what_nohup_started_goes_on,
    what_a_killed_process_left_is_removed_by_the_next, a_file_beside_a_killed_write_is_old,
    killed_at_any_moment_outputs_are_old_or_new)
