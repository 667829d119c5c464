#!/usr/bin/env python3
"""Whatever system call on an output fails, is interrupted, or is the last one of a killed process: the outputs are old
or new, whole, and the next write leaves nothing behind.

    system_calls_test.py TIDELINE FOLDER_OF_A_TENSORFLOW [FAULTS]

strace injects the faults: at every call on an output of every job below each errno and each signal, of which FAULTS
(without it: all) are chosen by chance. faults_test.py does the same with a library that is preloaded, where strace may
not run; it cannot reach calls that the standard library makes itself."""
import collections
import errno
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys

from common import LMS, MODEL, PATIENCE_S, PROGRAM, ROOT, SAMPLE, entries, make_old, run, succeeds, tideline

TENSORFLOW = str(pathlib.Path(sys.argv[2]).resolve())
CHOSEN = int(sys.argv[3]) if len(sys.argv) > 3 else None
SKIPPED = 77
ENVIRONMENT = dict(os.environ, TFDIR=TENSORFLOW, ASAN_OPTIONS="detect_leaks=0")

CODES = {
    "openat": ("EACCES", "EMFILE", "ENOSPC", "EINTR", "EIO"), "mkdir": ("EACCES", "ENOSPC", "EDQUOT"),
    "write": ("EIO", "ENOSPC", "EDQUOT", "EINTR", "EFBIG"), "pwrite64": ("EIO", "ENOSPC", "EDQUOT", "EINTR"),
    "writev": ("EIO", "ENOSPC"), "copy_file_range": ("EIO", "ENOSPC", "EXDEV"), "sendfile": ("EIO", "ENOSPC"),
    "fsync": ("EIO", "ENOSPC", "EDQUOT", "EINTR"), "fdatasync": ("EIO", "EINTR"), "ftruncate": ("EIO", "ENOSPC"),
    "rename": ("EACCES", "EIO", "ENOSPC", "EDQUOT"), "renameat": ("EACCES", "EIO"),
    "renameat2": ("EACCES", "EIO", "ENOSPC", "EINVAL", "ENOSYS"), "link": ("EACCES",), "linkat": ("EACCES",),
    "unlink": ("EACCES", "EIO"), "unlinkat": ("EACCES", "EIO"), "rmdir": ("EACCES",), "close": ("EIO", "ENOSPC", "EDQUOT", "EINTR"),
    "fchmod": ("EPERM", "EIO"), "fchmodat": ("EPERM",), "chmod": ("EPERM",), "fchown": ("EPERM",), "fchownat": ("EPERM",),
    "flock": ("ENOLCK", "EINTR"), "fcntl": ("EIO",), "getdents64": ("EIO",), "newfstatat": ("EIO", "EACCES"),
    "access": ("EIO",), "lseek": ("EIO",), "read": ("EIO", "EINTR"),
}
# What is not there afterwards cannot have been taken away: it is named, and goes with the next write.
CLEARING = ("unlink", "unlinkat", "rmdir", "openat", "getdents64", "newfstatat", "fcntl")
INJECTED = re.compile(r"\(INJECTED\)|--- SIG(KILL|TERM)|killed by SIG")


class Job:
    """A command line with its outputs. Those of `forced` are there before, as something old; the others are not."""

    def __init__(self, name, words, forced=(), made=(), stand_alone=False):
        self.name, self.words, self.forced, self.made = name, [str(word) for word in words], forced, made
        self.stand_alone = stand_alone  # each output for itself, instead of all or none

    def outputs(self):
        return (*self.forced, *self.made)


SCRIPT = """policy.mode lms2
policy.set swapout-threshold 50
policy.set swapin-ahead 3
policy.set swapin-groupby 2
file.write out.meta force
file.write-plan plan.json force
file.write-csv table.csv force
file.write-log log
"""
PICTURE = "file.write-picture picture.svg levels force\n"
# A build without the window draws no pictures in scripts.
HAS_WINDOW = subprocess.run([PROGRAM, "script", SAMPLE, "-"], input="file.write-picture /dev/null/x.svg levels\n", text=True,
                            capture_output=True).stderr.find("cannot be drawn") < 0
TRAINED = ROOT / "tests/data/graphs/mlp.meta"
TRAINING = ("--train", "adam_optimizer/Adam", "--loss", "loss/Mean", "--feed", "x=float32:8x32", "--feed", "y=int64:8:10",
            "--steps", "2", "--seed", "1")

LOG = ("log/original", "log/rewritten")  # a file each: no rename puts both in place

JOBS = (
    Job("a rewrite with plan and log", ("rewrite", "lms2", SAMPLE, "-o", "out.meta", "--plan-json", "plan.json", "--tb", "log",
                                        "--force", "--quiet", *LMS), ("out.meta", "plan.json"), LOG),
    Job("a rewrite into a folder", ("rewrite", "lms1", SAMPLE, "-o", "model", "--force", "--quiet", "--optimizer-scopes",
                                    "adam_optimizer"), ("model",)),
    Job("a rewrite to a new name", ("rewrite", "lms2", SAMPLE, "-o", "out.pb", "--quiet", *LMS), (), ("out.pb",)),
    Job("a copy as text", ("convert", SAMPLE, "-o", "out.pbtxt", "--force", "--quiet"), ("out.pbtxt",)),
    Job("a copy of a model", ("convert", MODEL, "-o", "model", "--force", "--quiet"), ("model",)),
    Job("a new copy of a model", ("convert", MODEL, "-o", "copy", "--quiet"), (), ("copy",)),
    Job("a picture", ("render", SAMPLE, "-o", "picture.svg", "--force", "--size", "300x200", *LMS), ("picture.svg",)),
    Job("a script", ("script", SAMPLE, "script.tls"), ("out.meta", "plan.json", "table.csv", "table.steps.csv", *(["picture.svg"] if HAS_WINDOW else [])),
        LOG, stand_alone=True),
    Job("a run with feeds and trace", ("run", TRAINED, *TRAINING, "--save-feeds", "feeds", "--trace", "trace"), (),
        ("feeds", "trace")),
)


def whole(path):
    """What is compared: the content; of a log, whose records have times, how long the records are. None: nothing."""
    if path.is_dir():
        files = {inner: inner.relative_to(path) for inner in sorted(path.rglob("*")) if inner.is_file()}
        found = {str(name): whole(inner) for inner, name in files.items() if ".tideline-" not in inner.name}
        return found or None  # a folder that was made for a log
    if not path.exists():
        return None
    content = path.read_bytes()
    if "trace/" not in str(path):
        return content
    sizes, at = [], 0
    while at < len(content):
        sizes.append(int.from_bytes(content[at:at + 8], "little"))
        at += sizes[-1] + 16
    return sizes, at == len(content)


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def prepare(folder, job):
    for name in (*job.outputs(), "script.tls"):
        remove(folder / name)
    for name in job.forced:
        make_old(folder / name)
    (folder / "script.tls").write_text(SCRIPT + (PICTURE if HAS_WINDOW else ""))


def traced(folder, words, *options):
    """Exit code and messages of the program under strace, and what strace wrote."""
    log = folder / "calls"
    done = subprocess.run(["strace", "-f", "-y", "-qq", "-s", "0", "-o", log, *options, PROGRAM, *words], cwd=folder,
                          env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE_S)
    lines = log.read_text(errors="replace").splitlines()
    log.unlink()
    return done, lines


CALL = re.compile(r"^(\d+) +(\w+)\((.*)")


def is_on_output(folder, job, line):
    """Whether a traced call is on an output or on a folder that it lies in."""
    # Files are named as they are written here, but descriptors with their whole path.
    names = "|".join(re.escape(name) for name in job.outputs())
    outputs = rf'"(?:\./)?(?:{names})["/]|\.tideline-|\d<{re.escape(str(folder))}[>/]'
    return re.search(outputs, line.replace(f"AT_FDCWD<{folder}>", "")) is not None


def calls_on_outputs(folder, job):
    """(name of a call, its number among those of its thread), for each one on an output."""
    prepare(folder, job)
    done, lines = traced(folder, job.words)
    assert done.returncode == 0, done
    counts, found = collections.Counter(), set()
    for line in lines:
        match = CALL.match(line)
        if match is None:
            continue
        thread, call, rest = match.groups()
        counts[thread, call] += 1
        if call in CODES and is_on_output(folder, job, rest):
            found.add((call, counts[thread, call]))
    return sorted(found), {name: whole(folder / name) for name in job.outputs()}


def states(folder, job, old, new):
    now = {name: whole(folder / name) for name in job.outputs()}
    return [("new" if now[name] == new[name] else "old" if now[name] == old[name] else f"{name}: BAD") for name in now]


def temporary(folder):
    return [path for path in folder.rglob("*") if ".tideline-" in path.name]


def judge(folder, job, new, call, number, fault):
    """One run with one fault."""
    prepare(folder, job)
    old = {name: whole(folder / name) for name in job.outputs()}
    done, lines = traced(folder, job.words, "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}")
    # Threads that came in another order; or before main, where calls of another thread have the same numbers.
    too_early = "error while loading shared libraries" in done.stderr or done.returncode == -signal.SIGTERM
    if too_early or not any(INJECTED.search(line) for line in lines):
        return 0
    what = (job.name, call, number, fault, done.returncode, done.stderr, entries(folder))
    found = states(folder, job, old, new)
    # Another thread's call of that number was on a font or a graphics library: the pictures in a log are others then.
    elsewhere = any("INJECTED" in line and not is_on_output(folder, job, line) for line in lines)
    if elsewhere and {state for state in found if state.endswith("BAD")} == {f"{name}: BAD" for name in LOG}:
        return 0
    assert set(found) <= {"old", "new"}, (what, found)
    if fault == "signal=KILL":
        # A worker that is killed is a message of its parent.
        assert done.returncode in (-9, 137, 0, 1), what
    else:
        codes = (0, 1) if fault != "signal=TERM" else (0, 1, 130)
        assert done.returncode in codes, what
        assert job.stand_alone or len(set(found)) == 1, (what, found)
        assert done.returncode != 0 or set(found) == {"new"}, (what, found)
        # The message itself may have been the call of that number in another thread.
        unheard = any("write(2<" in line and "INJECTED" in line for line in lines)
        assert done.returncode == 0 or "tideline: " in done.stderr or unheard, what
        assert not temporary(folder) or call in CLEARING, (what, temporary(folder))
    for name in job.made:
        remove(folder / name)
    succeeds(tideline(folder, *job.words, env=ENVIRONMENT))
    assert set(states(folder, job, old, new)) == {"new"}, what
    assert not temporary(folder), (what, "after the next write", temporary(folder))
    return 1


def check(job, chosen):
    def test(folder):
        folder = folder.resolve()
        found, new = calls_on_outputs(folder, job)
        faults = [(call, number, fault) for call, number in found
                  for fault in (*(f"error={code}" for code in CODES[call]), "signal=KILL", "signal=TERM")]
        assert len(found) > 10 and all(hasattr(errno, code) for codes in CODES.values() for code in codes)
        chance = random.Random(job.name)
        if chosen is not None and chosen < len(faults):
            faults = chance.sample(faults, chosen)
        runs, failed = 0, []
        for fault in faults:
            try:
                runs += judge(folder, job, new, *fault)
            except (AssertionError, subprocess.TimeoutExpired) as problem:
                failed.append(str(problem)[:1500])
                for path in temporary(folder):
                    remove(path)
        print(f"  {len(found)} calls, {runs} runs", *failed[:10], sep="\n  ")
        assert not failed, f"{len(failed)} faults lost or left something"
        assert runs * 2 >= len(faults), "fewer than half of the faults happened"
    test.__name__ = job.name.replace(" ", "_")
    return test


def may_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", "inject=close:error=EIO:when=1000", "true"],
                          capture_output=True).returncode == 0


if not may_trace():
    print("SKIP: strace is not there, or may not trace (ptrace is not permitted)")
    sys.exit(SKIPPED)
run(*(check(job, None if CHOSEN is None else CHOSEN // len(JOBS)) for job in JOBS))
