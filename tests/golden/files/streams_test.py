#!/usr/bin/env python3
"""Standard output and standard error that cannot be written: the work is finished, and the exit code says so.

    streams_test.py TIDELINE
"""
import os
import pty
import signal
import subprocess

from common import LMS, PATIENCE_S, PROGRAM, SAMPLE, entries, run, succeeds, tideline

REWRITE = ("rewrite", "lms2", str(SAMPLE), "-o", "out.meta", "--debug", "2", *LMS)


def expected(folder):
    succeeds(tideline(folder, *REWRITE))
    content = (folder / "out.meta").read_bytes()
    (folder / "out.meta").unlink()
    return content


def finishes(folder, code, content, command):
    """A shell command, in which "$@" is the program and its words, leaves the whole file."""
    done = subprocess.run(["sh", "-c", command, "sh", PROGRAM, *REWRITE], cwd=folder, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, (command, done)
    assert (folder / "out.meta").read_bytes() == content, command
    assert entries(folder) == ["out.meta"], (command, entries(folder))
    (folder / "out.meta").unlink()
    return done


def the_work_is_finished_when_nothing_can_be_printed(folder):
    content = expected(folder)
    for command in ('"$@" >&-', '"$@" 2>&- >&-', '"$@" >&- <&- 2>&-', '"$@" >/dev/full', '"$@" >/dev/full 2>/dev/full',
                    '"$@" >/dev/full 2>&-'):
        done = finishes(folder, 1, content, command)
        says_why = "2>" not in command
        assert done.stderr.startswith("tideline: standard output: cannot write: ") == says_why, done
    finishes(folder, 0, content, '"$@" 2>&-')  # there was nothing to say


def a_message_that_cannot_be_printed_is_an_exit_code(folder):
    for ending in ("2>&-", "2>/dev/full"):
        done = subprocess.run(["sh", "-c", f'"$@" {ending}', "sh", PROGRAM, "inspect", "missing.pb"], cwd=folder,
                              timeout=PATIENCE_S)
        assert done.returncode == 1, done
        # A note of what the format loses cannot be said.
        done = subprocess.run(["sh", "-c", f'"$@" {ending}', "sh", PROGRAM, "convert", str(SAMPLE), "-o", "g.pb",
                               "--force"], cwd=folder, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
        assert done.returncode == 1 and (folder / "g.pb").exists(), done


def a_reader_that_went_away_ends_it_quietly(folder):
    content = expected(folder)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([PROGRAM, *REWRITE], cwd=folder, stdout=write, stderr=subprocess.PIPE, text=True,
                          timeout=PATIENCE_S)
    os.close(write)
    assert done.returncode == -signal.SIGPIPE and done.stderr == "", done
    assert (folder / "out.meta").read_bytes() == content
    done = subprocess.run(["sh", "-c", '"$@" | head -n 1', "sh", PROGRAM, "levels", str(SAMPLE)], cwd=folder,
                          capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.stdout.count("\n") == 1 and done.stderr == "" and done.returncode == 0, done


def a_terminal_that_went_away_is_an_exit_code(folder):
    content = expected(folder)
    master, slave = pty.openpty()
    os.close(master)  # every write to the other end fails from now on
    done = subprocess.run([PROGRAM, *REWRITE], cwd=folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                          timeout=PATIENCE_S)
    os.close(slave)
    assert done.returncode == 1, done
    assert (folder / "out.meta").read_bytes() == content


run(the_work_is_finished_when_nothing_can_be_printed, a_message_that_cannot_be_printed_is_an_exit_code,
    a_reader_that_went_away_ends_it_quietly, a_terminal_that_went_away_is_an_exit_code)
