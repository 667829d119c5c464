#!/usr/bin/env python3
"""A power failure at any moment of a save through the backend `file` leaves the checkpoint before it or the new one,
whole; and when the save has returned, the new one.

    power_test.py USE_BACKEND PLUGIN LIBRARY_OF_recorded_writes.c

What the save does to files is recorded. After each of its steps the simulation loses power: of each file there is what
was there at its last flush, or that and all later writes, or some of them; of the folder what was there at its last
flush, and from 0 up to all changes of names since, in their order, or one of them alone."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

USE, PLUGIN, RECORDER = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:4])
# Tensors large enough to be written from where they lie.
ENVIRONMENT = dict(os.environ, USE_BACKEND_FLOATS="105000")


class Disk:
    """Files by inode as [what is on disk, writes since]; names of inodes likewise, and as they are now."""

    def __init__(self, folder):
        self.names = {path.name: path.stat().st_ino for path in folder.iterdir()}
        self.files = {path.stat().st_ino: [path.read_bytes(), []] for path in folder.iterdir()}
        self.changes = []
        self.now = dict(self.names)

    def step(self, words, data):
        verb = words[0]
        if verb in ("write", "size"):
            self.files[int(words[1])][1].append((verb, int(words[2]), data))
        elif verb == "sync":
            self.files[int(words[1])] = [content(*self.files[int(words[1])]), []]
        elif verb == "folder":
            self.names = renamed(self.names, self.changes)
            self.changes = []
        elif verb == "create":
            self.files[int(words[1])] = [b"", []]
            self.change(None, pathlib.Path(words[2]).name, int(words[1]))
        else:
            name, *to = (pathlib.Path(word).name for word in words[1:])
            self.change(None if verb == "link" else name, *to, *(self.now[name] for _ in to))

    def change(self, removed, name=None, inode=None):
        self.changes.append((removed, name, inode))
        self.now = renamed(self.now, self.changes[-1:])

    def after_failures(self, chance):
        """Each state that the disk may be in if the power fails now, as {name: bytes}."""
        lost = {inode: content(*file, lambda: False) for inode, file in self.files.items()}
        whole = {inode: content(*file) for inode, file in self.files.items()}
        some = {inode: content(*file, lambda: chance.random() < 0.5) for inode, file in self.files.items()}
        in_order = [self.changes[:count] for count in range(len(self.changes) + 1)]
        for changes in in_order + [[change] for change in self.changes]:
            names = renamed(self.names, changes)
            for files in (lost, whole, some):
                yield {name: files[inode] for name, inode in names.items()}


def content(flushed, writes, reaches_disk=lambda: True):
    now = bytearray(flushed)
    for verb, at, data in writes:
        if not reaches_disk():
            continue
        if verb == "size":
            now = now[:at] + bytes(max(0, at - len(now)))
        else:
            now += bytes(max(0, at + len(data) - len(now)))
            now[at:at + len(data)] = data
    return bytes(now)


def renamed(names, changes):
    names = dict(names)
    for removed, name, inode in changes:
        names.pop(removed, None)
        if name is not None:
            names[name] = inode
    return names


def records(path):
    data = path.read_bytes()
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        words = data[at:end].decode().split("\t")
        size = int(words[3]) if words[0] == "write" else 0
        yield words, data[end + 1:end + 1 + size]
        at = end + 1 + size


def use(folder, config, *words, **variables):
    config = config.replace("FOLDER", str(folder))
    return subprocess.run([USE, PLUGIN, "file", config, *words], capture_output=True, text=True, timeout=60,
                          env=dict(ENVIRONMENT, **variables))


def loaded(folder, config):
    done = use(folder, config, "load")
    if done.returncode == 0:
        return done.stdout.strip()
    # Nothing was saved yet (data without an index are none), or something is wrong.
    is_none = "there is no checkpoint" in done.stderr or ".index: is missing; expected it beside" in done.stderr
    return "none" if is_none else f"BAD {done.stderr}"


def power_fails(name, config, before, words, old, new):
    """Saves `before` in peace, then `words` with the power failing at every step."""
    with tempfile.TemporaryDirectory(prefix="tideline.") as work:
        folder, crashed = pathlib.Path(work, "folder"), pathlib.Path(work, "crashed")
        folder.mkdir()
        for each in before:
            done = use(folder, config, *each)
            assert done.returncode == 0, done
        assert loaded(folder, config) == old, (name, loaded(folder, config))
        disk = Disk(folder)
        log = pathlib.Path(work, "log")
        done = use(folder, config, *words, LD_PRELOAD=RECORDER, RECORDED_WRITES=str(log),
                   ASAN_OPTIONS="verify_asan_link_order=0")
        assert done.returncode == 0, done
        steps = list(records(log))
        chance = random.Random(3)
        seen = {}
        for number, (words, data) in enumerate(steps):
            disk.step(words, data)
            for state in disk.after_failures(chance):
                key = hash(tuple(sorted((file, hash(data)) for file, data in state.items())))
                if key not in seen:
                    shutil.rmtree(crashed, ignore_errors=True)
                    crashed.mkdir()
                    for file, data in state.items():
                        (crashed / file).write_bytes(data)
                    seen[key] = loaded(crashed, config)
                wanted = (new,) if number == len(steps) - 1 else (old, new)
                assert seen[key] in wanted, (name, number, words, seen[key], sorted(state))
        assert {old, new} <= set(seen.values()), "no failure mattered"
        print(f"  {name}: {len(steps)} steps, {len(seen)} states of the disk", flush=True)


PLAIN = "FOLDER/m"
STEPS = '{"path": "FOLDER/m-{step}", "keep_last": 1}'
INCREMENTAL = '{"path": "FOLDER/m", "incremental": true}'
power_fails("a first save", PLAIN, (), ("save:3",), "none", "loaded 3 3 3")
power_fails("a save over another", PLAIN, (("save:2",), ("save:3",)), ("save:4",), "loaded 3 3 3", "loaded 4 4 4")
power_fails("a save of a step, which removes another", STEPS, (("save:2:1",),), ("save:3:2",), "loaded 2 2 2",
            "loaded 3 3 3")
power_fails("a save of what changed", INCREMENTAL, (("save:2",), ("load", "change:3", "save")),
            ("load", "change:4", "save"), "loaded 3 2 2", "loaded 4 2 2")
print("ok")
