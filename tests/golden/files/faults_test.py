#!/usr/bin/env python3
"""Whatever call fails while it writes, the program says so, the outputs are old or new, and nothing stays behind.

    faults_test.py TIDELINE LIBRARY_OF_watched_files.c
"""
import errno
import shutil

from common import LMS, MODEL, SAMPLE, content, make_old, run, temporary, watched

CALLS = ("write", "fsync", "rename", "renameat2", "fchmod", "mkdir", "unlink", "rmdir", "flock", "mkostemp", "mkdtemp")
CODES = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EINTR)
# What a file system without a feature says.
LACKING = (errno.EINVAL, errno.ENOSYS)


def state(folder, names, old, new):
    return {"new" if content(folder / name) == new[name] else "old" if content(folder / name) == old[name] else "BAD"
            for name in names}


def survives(folder, names, words, faults, codes):
    """Runs with every call failing in turn, until there is none of that number."""
    new, runs = {}, 0
    for name in names:
        make_old(folder / name)
    done, _ = watched(folder, *words)
    assert done.returncode == 0, done
    new = {name: content(folder / name) for name in names}
    for call in faults:
        for code in codes:
            number, failed = 0, True
            while failed:
                number += 1
                for name in names:
                    make_old(folder / name)
                old = {name: content(folder / name) for name in names}
                done, lines = watched(folder, *words, FAULT=f"{call}:{number}:{code}")
                failed = any(line.startswith("fault ") for line in lines)
                what = (call, number, errno.errorcode[code], done)
                found = state(folder, names, old, new)
                assert done.returncode in (0, 1) and found in ({"old"}, {"new"}), (what, found)
                assert done.returncode == 1 or found == {"new"}, (what, found)
                assert done.returncode == 0 or done.stderr.startswith("tideline: "), what
                left = temporary(folder)
                # What could not be removed is named, or is taken away by the next write.
                assert not left or call in ("unlink", "rmdir"), (what, left)
                for path in left:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                runs += 1
    print(f"  {runs} runs")
    assert runs > len(faults) * len(codes), "no call failed"


def a_fault_while_files_are_written(folder):
    words = ("rewrite", "lms2", SAMPLE, "-o", "out.meta", "--plan-json", "plan.json", "--force", "--quiet", *LMS)
    survives(folder, ("out.meta", "plan.json"), words, CALLS, CODES)


def a_fault_while_a_folder_is_written(folder):
    survives(folder, ("model",), ("convert", MODEL, "-o", "model", "--force", "--quiet"), CALLS, CODES)


def a_file_system_that_cannot_exchange_names(folder):
    """Files are replaced nevertheless, and a folder is not."""
    words = ("rewrite", "lms2", SAMPLE, "-o", "out.meta", "--plan-json", "plan.json", "--force", "--quiet", *LMS)
    survives(folder, ("out.meta", "plan.json"), words, ("renameat2",), LACKING)
    survives(folder, ("model",), ("convert", MODEL, "-o", "model", "--force", "--quiet"), ("renameat2",), LACKING)


run(a_fault_while_files_are_written, a_fault_while_a_folder_is_written, a_file_system_that_cannot_exchange_names)
