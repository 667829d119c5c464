#!/usr/bin/env python3
"""A checkpoint that is written over is the old one or the new one, whole, whatever fails and whenever the process
is killed; and its data are on disk before its index names them.

    checkpoints_test.py TIDELINE LIBRARY_OF_watched_files.c
"""
import errno
import json
import os
import random
import signal
import subprocess
import time

from common import PROGRAM, ROOT, run, succeeds, temporary, tideline, watched

CALLS = ("write", "fsync", "rename", "renameat2", "fchmod", "link", "unlink", "flock", "mkostemp")
CODES = (errno.EIO, errno.ENOSPC, errno.EACCES)
SAMPLES = ROOT / "tests/data/checkpoints"
KILLS = int(os.environ.get("TIDELINE_TEST_KILLS", 200))


def same(folder, name, other):
    return tideline(folder, "checkpoint", "diff", name, other).returncode == 0


def state(folder, name, old, new):
    """Which of the two it is; it has to be undamaged to be either."""
    verified = tideline(folder, "checkpoint", "verify", name)
    assert verified.returncode == 0, verified
    return "old" if same(folder, name, old) else "new" if same(folder, name, new) else "BAD"


def begin(folder, name, old):
    for path in folder.glob(f"{name}.*"):
        path.unlink()
    done = tideline(folder, "checkpoint", "convert", old, "-o", name, "--quiet")
    assert done.returncode == 0, done


def every_call_may_fail(folder):
    old, new = SAMPLES / "sliced/ckpt", SAMPLES / "small/ckpt"
    runs = 0
    for call in CALLS:
        for code in CODES:
            number, failed = 0, True
            while failed:
                number += 1
                begin(folder, "m", old)
                done, lines = watched(folder, "checkpoint", "convert", new, "-o", "m", "--force", "--quiet",
                                      FAULT=f"{call}:{number}:{code}")
                failed = any(line.startswith("fault ") for line in lines)
                found = state(folder, "m", old, new)
                what = (call, number, errno.errorcode[code], done, found)
                assert done.returncode in (0, 1) and found in ("old", "new"), what
                assert done.returncode == 1 or found == "new", what
                assert not temporary(folder), what
                runs += 1
    print(f"  {runs} runs")
    assert runs > 2 * len(CALLS) * len(CODES), "no call failed"


def orphans(folder):
    """Data files that no index names, and temporary ones."""
    return [path.name for path in folder.iterdir() if ".tideline-" in path.name or
            (".data-" in path.name and not (folder / (path.name.split(".data-")[0] + ".index")).exists())]


def a_kill_at_any_call_leaves_nothing_that_the_next_write_does_not_remove(folder):
    """A checkpoint of another name is written afterwards, without --force: nothing of the killed one is in the way."""
    kills = 0
    for call in CALLS:
        number, killed = 0, True
        while killed:
            number += 1
            for path in folder.iterdir():
                path.unlink()
            done, _ = watched(folder, "checkpoint", "convert", SAMPLES / "small/ckpt", "-o", "m-1", "--quiet",
                              FAULT=f"{call}:{number}:0")
            killed = done.returncode == -signal.SIGKILL
            kills += killed
            assert killed or done.returncode == 0, (call, number, done)
            before = sorted(path.name for path in folder.iterdir())
            for name in ("m-2", "m-1") if not (folder / "m-1.index").exists() else ("m-2",):
                succeeds(tideline(folder, "checkpoint", "convert", SAMPLES / "sliced/ckpt", "-o", name, "--quiet"))
                assert not orphans(folder), (call, number, before, orphans(folder))
    print(f"  {kills} kills")
    assert kills > len(CALLS), "nothing was killed"


def data_are_on_disk_before_the_index(folder):
    begin(folder, "m", SAMPLES / "sliced/ckpt")
    _, lines = watched(folder, "checkpoint", "convert", SAMPLES / "small/ckpt", "-o", "m", "--force", "--quiet")
    steps = [line.replace(str(folder) + "/", "") for line in lines]
    data = next(i for i, line in enumerate(steps) if line == "link m.data-00000-of-00002")
    index = next(i for i, line in enumerate(steps) if line == "rename m.index")
    flushed = [i for i, line in enumerate(steps) if line.startswith("sync .m.data-00000-of-00002.")]
    folders = [i for i, line in enumerate(steps) if line == f"sync {folder}"]
    written = [i for i, line in enumerate(steps) if line.startswith("sync .m.index.")]
    assert flushed and flushed[-1] < data, steps
    assert any(data < i < index for i in folders) and written and written[-1] < index < folders[-1], steps


def byte_of(folder, name):
    """The byte that all tensors consist of; reading them compares their checksums."""
    done = tideline(folder, "checkpoint", "stat", name, "--json")
    assert done.returncode == 0, done
    found = {(t["min"], t["max"]) for t in json.loads(done.stdout)["tensors"]}
    assert len(found) == 1, found
    return found.pop()[0]


def killed_at_any_moment(folder):
    """Two checkpoints of 6 MB replace each other; whenever the process dies, one of them is there."""
    for byte in (1, 2):
        arrays = folder / f"arrays{byte}"
        arrays.mkdir()
        head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (500000,), }".ljust(117) + b"\n"
        for i in range(12):
            (arrays / f"t{i}.npy").write_bytes(b"\x93NUMPY\1\0\x76\0" + head + bytes([byte]) * 500000)
    words = ("checkpoint", "convert")
    more = ("-o", "m", "--force", "--quiet")
    began = time.monotonic()
    succeeds(tideline(folder, *words, "arrays1", *more))
    whole = time.monotonic() - began
    random.seed(17)
    standing, counts = 1, {"old": 0, "new": 0}
    for _ in range(KILLS):
        process = subprocess.Popen([PROGRAM, *words, f"arrays{3 - standing}", *more], cwd=folder)
        time.sleep(random.random() * whole * 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found = byte_of(folder, "m")
        assert found in (1, 2)
        counts["old" if found == standing else "new"] += 1
        standing = found
    print(f"  {KILLS} kills: {counts}")
    assert all(counts.values()), counts
    succeeds(tideline(folder, *words, f"arrays{3 - standing}", *more))
    assert byte_of(folder, "m") == 3 - standing and not temporary(folder)
    assert len({path.name[-5:] for path in folder.glob("m.data-*")}) == 1, list(folder.glob("m.*"))


run(every_call_may_fail, a_kill_at_any_call_leaves_nothing_that_the_next_write_does_not_remove,
    data_are_on_disk_before_the_index, killed_at_any_moment)
