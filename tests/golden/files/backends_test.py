#!/usr/bin/env python3
"""Whatever call fails while a backend saves, and however short its writes are: the checkpoint before it or the new one
is there, whole, and nothing else.

    backends_test.py USE_BACKEND LIBRARY_OF_watched_files.c PLUGIN_file PLUGIN_safetensors
"""
import errno
import os
import pathlib
import subprocess
import sys
import tempfile

USE, WATCHER, FILE, SAFETENSORS = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:5])
CALLS = ("pwrite", "write", "fallocate", "ftruncate", "fsync", "rename", "mkostemp", "fchmod", "flock", "link",
         "unlink")
CODES = (errno.EIO, errno.ENOSPC, errno.EACCES)
# The second is large enough to be written from where it lies.
ENVIRONMENT = dict(os.environ, USE_BACKEND_FLOATS="70000", ASAN_OPTIONS="verify_asan_link_order=0")


def use(plugin, config, *words, **variables):
    backend = pathlib.Path(plugin).stem.removeprefix("tideline_checkpoint_")
    return subprocess.run([USE, plugin, backend, config, *words], capture_output=True, text=True, timeout=60,
                          env=dict(ENVIRONMENT, **variables))


def watched(folder, *words, **variables):
    log = folder.parent / "watched.log"
    log.unlink(missing_ok=True)
    done = use(*words, LD_PRELOAD=WATCHER, WATCHED_FILES=str(log), **variables)
    lines = log.read_text().splitlines() if log.exists() else []
    return done, any(line.startswith("fault ") for line in lines)


def empty(folder):
    for path in folder.iterdir():
        path.unlink()


def loaded(plugin, config):
    done = use(plugin, config, "load")
    assert done.returncode == 0, done
    return done.stdout.strip()


def every_call_may_fail(folder, plugin, config, before, words, old, new):
    runs = failures = 0
    empty(folder)
    for each in before:
        done = use(plugin, config, *each)
        assert done.returncode == 0, done
    prepared = {path.name: path.read_bytes() for path in folder.iterdir()}
    for call in CALLS:
        for code in CODES:
            number, failed = 0, True
            while failed:
                number += 1
                empty(folder)
                for name, data in prepared.items():
                    (folder / name).write_bytes(data)
                done, failed = watched(folder, plugin, config, *words, FAULT=f"{call}:{number}:{code}")
                found = loaded(plugin, config)
                what = (call, number, errno.errorcode[code], done, found, sorted(folder.iterdir()))
                assert done.returncode in (0, 1) and found in (old, new), what
                assert done.returncode == 1 or found == new, what
                assert done.returncode == 0 or str(folder) in done.stderr, what
                assert call == "unlink" or not [path for path in folder.iterdir() if ".tideline-" in path.name], what
                runs += 1
                failures += done.returncode
    print(f"  {pathlib.Path(plugin).stem} {words}: {runs} runs, of which {failures} failed", flush=True)
    assert failures > 10, "no call failed"


def orphans(folder):
    """Data files that no index names, and temporary ones."""
    return [path.name for path in folder.iterdir() if ".tideline-" in path.name or
            (".data-" in path.name and not (folder / (path.name.split(".data-")[0] + ".index")).exists())]


def a_kill_at_any_call_leaves_nothing_with_steps(folder, plugin):
    """Data of a step whose save was killed go with the save of the next step, which has other names."""
    config, kills = '{"path": "%s"}' % (folder / "m-{step}"), 0
    for call in CALLS:
        number, killed = 0, True
        while killed:
            number += 1
            empty(folder)
            assert use(plugin, config, "save:1:10").returncode == 0
            # Data of another program, which an index will name soon.
            (folder / "foreign-7.data-00000-of-00001").write_bytes(b"data")
            done, _ = watched(folder, plugin, config, "save:2:20", FAULT=f"{call}:{number}:0")
            killed = done.returncode == -9
            kills += killed
            assert killed or done.returncode == 0, (call, number, done)
            before = sorted(path.name for path in folder.iterdir())
            assert use(plugin, config, "save:3:30").returncode == 0
            assert orphans(folder) == ["foreign-7.data-00000-of-00001"], (call, number, before, orphans(folder))
            assert use(plugin, config, "load:10", "load:30").stdout.split() == "loaded 1 1 1 loaded 3 3 3".split()
    print(f"  {kills} kills", flush=True)
    assert kills > len(CALLS), "nothing was killed"


def writes_may_be_short(folder, plugin, config, sizes):
    for size in sizes:
        done, _ = watched(folder, plugin, config, "save:8", SHORT_WRITES=str(size))
        assert done.returncode == 0 and loaded(plugin, config) == "loaded 8 8 8", (size, done)
        assert use(plugin, config, "save:1").returncode == 0


with tempfile.TemporaryDirectory(prefix="tideline.") as work:
    here = pathlib.Path(work, "folder")
    here.mkdir()
    model = str(here / "m")
    changed = '{"path": "%s", "incremental": true}' % model
    every_call_may_fail(here, FILE, model, (("save:2",),), ("save:3",), "loaded 2 2 2", "loaded 3 3 3")
    every_call_may_fail(here, FILE, changed, (("save:2",), ("load", "change:3", "save")),
                        ("load", "change:4", "save"), "loaded 3 2 2", "loaded 4 2 2")
    every_call_may_fail(here, SAFETENSORS, model, (("save:2",),), ("save:3",), "loaded 2 2 2", "loaded 3 3 3")
    a_kill_at_any_call_leaves_nothing_with_steps(here, FILE)
    empty(here)
    # 1000 is no multiple of what direct writes demand: the rest goes the ordinary way.
    writes_may_be_short(here, FILE, model, (4096, 12288, 1000, 65537))
    print("ok")
