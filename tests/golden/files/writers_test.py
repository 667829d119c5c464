#!/usr/bin/env python3
"""Several writers of one checkpoint at a time: one of them wins entirely, whoever they are; and a lock that somebody
else holds is waited for, said and not for ever.

    writers_test.py TIDELINE USE_BACKEND PLUGIN_file
"""
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time

from common import IS_LONG, PATIENCE_S, PROGRAM, entries, fails, run, succeeds, temporary, tideline

USE, PLUGIN = (os.path.abspath(word) for word in sys.argv[2:4])
WRITERS = 1000 if IS_LONG else 80  # of each kind of race
ARRAYS = 6


def arrays(folder, byte):
    """A source of tensors that consist of one byte, of sizes that differ from byte to byte."""
    made = folder / f"arrays{byte}"
    made.mkdir()
    size = 20000 * byte
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({size},), }}".encode().ljust(117) + b"\n"
    for i in range(ARRAYS):
        (made / f"t{i}.npy").write_bytes(b"\x93NUMPY\1\0\x76\0" + head + bytes([byte]) * size)
    return made.name


def converting(folder, source, *more):
    return subprocess.Popen([PROGRAM, "checkpoint", "convert", source, "-o", "m", "--quiet", *more], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def saving(folder, number):
    return subprocess.Popen([USE, PLUGIN, "file", str(folder / "m"), f"save:{number}"], cwd=folder,
                            env=dict(os.environ, USE_BACKEND_FLOATS="70000"), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def ended(process):
    said = process.communicate(timeout=PATIENCE_S)[1]
    return process.returncode, said


def content_of(folder):
    """What all tensors of the checkpoint hold, with their names; reading them compares their checksums."""
    done = succeeds(tideline(folder, "checkpoint", "stat", "m", "--json"))
    tensors = json.loads(done.stdout)["tensors"]
    values = {(t["min"], t["max"]) for t in tensors}
    assert len(values) == 1, done
    low, high = values.pop()
    assert low == high, done
    return low, sorted(t["name"] for t in tensors)


def is_whole(folder, wanted):
    found = content_of(folder)
    assert found in wanted, (found, wanted)
    assert not temporary(folder), entries(folder)
    counts = {path.name[-5:] for path in folder.glob("m.data-*")}
    assert len(counts) == 1 and len(list(folder.glob("m.data-*"))) == int(counts.pop()), entries(folder)
    return found


def conversions_race(folder):
    sources = [arrays(folder, byte) for byte in (1, 2, 3)]
    names = [f"t{i}" for i in range(ARRAYS)]
    wanted = [(byte, names) for byte in (1, 2, 3)]
    winners = set()
    for _ in range(WRITERS // 3):
        for process in [converting(folder, source, "--force") for source in sources]:
            code, said = ended(process)
            assert code == 0, (code, said)
        winners.add(is_whole(folder, wanted)[0])
    print(f"  {WRITERS // 3 * 3} writers; winners {winners}")
    assert len(winners) > 1, "there was no race"


def without_force_one_of_them_wins(folder):
    sources = [arrays(folder, byte) for byte in (1, 2)]
    names = [f"t{i}" for i in range(ARRAYS)]
    for _ in range(WRITERS // 4):
        for path in folder.glob("m.*"):
            path.unlink()
        codes = []
        for process in [converting(folder, source) for source in sources]:
            code, said = ended(process)
            assert code == 0 or (code == 1 and "exists; give --force" in said), (code, said)
            codes.append(code)
        assert 0 in codes, codes
        found = is_whole(folder, [(byte, names) for byte in (1, 2)])
        assert codes[int(found[0]) - 1] == 0, (found, codes)


def a_conversion_races_with_a_save(folder):
    source = arrays(folder, 1)
    wanted = [(1, [f"t{i}" for i in range(ARRAYS)]), (7, [f"part/{i}" for i in (1, 2, 3)])]
    winners = set()
    for _ in range(WRITERS // 2):
        for process in (saving(folder, 7), converting(folder, source, "--force")):
            code, said = ended(process)
            assert code == 0, (code, said)
        winners.add(is_whole(folder, wanted)[0])
    print(f"  {WRITERS} writers; winners {winners}")


def in_the_way(folder):
    """A lock of this process on the folder."""
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def a_foreign_lock_is_said_and_waited_for(folder):
    source = arrays(folder, 1)
    lock = in_the_way(folder)
    process = subprocess.Popen([PROGRAM, "checkpoint", "convert", source, "-o", "m"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    saver = saving(folder, 7)
    said = process.stderr.readline()
    assert re.fullmatch(r"note: waiting for the lock of \., which (process \d+ \(.+\)|another process) holds\n",
                        said), said
    assert str(os.getpid()) in said or "another" in said, said
    assert process.poll() is None and saver.poll() is None and not list(folder.glob("m.*"))
    fcntl.flock(lock, fcntl.LOCK_UN)
    os.close(lock)
    # Whoever comes first: the backend replaces what is there, the conversion without --force does not.
    codes = ended(process), ended(saver)
    assert codes[1][0] == 0 and (codes[0][0] == 0 or "exists; give --force" in codes[0][1]), codes
    is_whole(folder, [(1, [f"t{i}" for i in range(ARRAYS)]), (7, [f"part/{i}" for i in (1, 2, 3)])])


def waiting_for_a_lock_can_be_interrupted(folder):
    source = arrays(folder, 1)
    lock = in_the_way(folder)
    process = subprocess.Popen([PROGRAM, "checkpoint", "convert", source, "-o", "m"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline().startswith("note: waiting")
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    code, said = ended(process)
    assert code == 130 and time.monotonic() - begin < 2, (code, said)
    os.close(lock)
    assert entries(folder) == [source], entries(folder)


def a_lock_that_stays_is_an_error(folder):
    source = arrays(folder, 1)
    lock = in_the_way(folder)
    begin = time.monotonic()
    done = subprocess.run([PROGRAM, "checkpoint", "convert", source, "-o", "m", "--quiet"], cwd=folder,
                          capture_output=True, text=True, timeout=2 * PATIENCE_S)
    fails(done, "holds the lock of this folder, and kept it for 60 s")
    assert time.monotonic() - begin > 50
    os.close(lock)
    assert entries(folder) == [source], entries(folder)
    succeeds(tideline(folder, "checkpoint", "convert", source, "-o", "m"))


TESTS = [conversions_race, without_force_one_of_them_wins, a_conversion_races_with_a_save,
         a_foreign_lock_is_said_and_waited_for, waiting_for_a_lock_can_be_interrupted]
run(*TESTS, *([a_lock_that_stays_is_an_error] if IS_LONG else []))
