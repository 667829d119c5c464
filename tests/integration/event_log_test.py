#!/usr/bin/env python3
"""Every tag of real logs: counts, steps, times, values and bytes equal those of TensorBoard's own reader.

That reader (EventAccumulator, without sampling and without purging) gives every value as a tensor, after its
migration of the forms of TensorFlow 1. A log that tensorboardX writes is compared, too, where a Python has it
(TIDELINE_TENSORBOARDX_PYTHON).
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

import common

# Prints, for every run and tag: plugin, and (step, time, kind of content) of every value; contents go to files.
READ = """
import json, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
from tensorboard.backend.event_processing import directory_watcher, io_wrapper
from tensorboard.backend.event_processing import plugin_event_accumulator as accumulator
from tensorboard.util import tensor_util

logdir = sys.argv[1]
answer = {}
for folder, _, names in sorted(os.walk(logdir)):
    if not any("tfevents" in name for name in names):
        continue
    acc = accumulator.EventAccumulator(folder, size_guidance={accumulator.TENSORS: 0}, purge_orphaned_data=False)
    acc.Reload()
    run = os.path.relpath(folder, logdir)
    answer[run] = {}
    for tag in acc.Tags()["tensors"]:
        plugin = acc.summary_metadata[tag].plugin_data.plugin_name if tag in acc.summary_metadata else ""
        rows = []
        for event in acc.Tensors(tag):
            array = tensor_util.make_ndarray(event.tensor_proto)
            if array.dtype == object:
                rows.append([event.step, event.wall_time, list(array.shape),
                             [bytes(x).hex() for x in array.flatten()]])
            else:
                rows.append([event.step, event.wall_time, list(array.shape),
                             [repr(x) for x in array.astype(np.float64).flatten().tolist()]])
        answer[run][tag] = [plugin, rows]
print(json.dumps(answer))
"""

# Two runs with what its writer has; the second one starts again at an earlier step.
WRITE_X = """
import sys
import numpy as np
from tensorboardX import SummaryWriter
rng = np.random.RandomState(0)
with SummaryWriter(sys.argv[1] + "/one") as writer:
    for step in range(200):
        writer.add_scalar("loss", rng.rand(), step)
        writer.add_scalar("nested/tag", float("nan") if step == 7 else step * 1e30, step)
        writer.add_histogram("w", rng.randn(100), step)
        writer.add_histogram("loss", rng.randn(10), step)   # a tag of two kinds
    writer.add_image("image", (rng.rand(3, 8, 9) * 255).astype(np.uint8), 3)
    writer.add_text("note", "a line\\nand another", 4)
    writer.add_hparams({"rate": 0.1, "units": 12}, {"accuracy": 0.5}, name="hparams")
for start in (0, 5):
    with SummaryWriter(sys.argv[1] + "/two", filename_suffix=f".{start}") as writer:
        for step in range(start, start + 10):
            writer.add_scalar("loss", step / 3, step)
"""


def ours(logdir, folder):
    """The same as READ gives, of our program, from several of its verbs."""
    read = {}

    def rows_of(run, tag, kind):
        return read.setdefault((run, tag, kind), [])

    text = common.tideline("log", "scalars", logdir, "--csv").stdout
    for row in csv.DictReader(io.StringIO(text)):
        rows_of(row["run"], row["tag"], "scalar").append(
            [int(row["step"]), float(row["wall_time"]), [], [repr(float(row["value"]))]])
    for series in json.loads(common.tideline("log", "histograms", logdir, "--json").stdout)["series"]:
        for point in series["points"]:
            rows_of(series["run"], series["tag"], "histogram").append(
                [point["step"], point["wall_time"], [len(point["buckets"]), 3],
                 [x for bucket in point["buckets"] for x in bucket]])
    for series in json.loads(common.tideline("log", "text", logdir, "--json").stdout)["series"]:
        for point in series["points"]:
            rows_of(series["run"], series["tag"], "text").append(
                [point["step"], point["wall_time"], point["shape"],
                 [text.encode().hex() for text in point["texts"]]])
    return read


def exported(out, run, tag, kind, step, index=None):
    """The one file of a row that was exported."""
    def safe(name):
        return "".join(c if c.isascii() and (c.isalnum() or c in "_-+=" or (c == "." and i > 0))
                       else "".join(f"%{b:02X}" for b in c.encode()) for i, c in enumerate(name)) or "%"
    stem = f"{kind}_{step}" + ("" if index is None else f"_{index}")
    found = [p for p in (out / safe(run) / safe(tag)).iterdir() if p.stem == stem]
    assert len(found) == 1, (run, tag, stem, found)
    return found[0].read_bytes()


def as_float32(number):
    import struct
    return repr(struct.unpack("<f", struct.pack("<f", number))[0])


def check_rows(where, plugin, kind, wanted, found, out, run, tag):
    assert len(wanted) == len(found), (where, len(wanted), len(found))
    for theirs, mine in zip(wanted, found):
        assert theirs[:2] == mine[:2], (where, theirs[:2], mine[:2])
        if kind == "histogram":
            # Those of TensorFlow 1 are converted to float32 there.
            values = [as_float32(x) if theirs[3] and as_float32(x) == t else repr(float(x))
                      for x, t in zip(mine[3], theirs[3])]
            assert theirs[2] == mine[2] and theirs[3] == values, (where, theirs[0])
        else:
            assert theirs[3] == mine[3], (where, theirs, mine)
            assert theirs[2] == mine[2] or kind == "scalar", (where, theirs[2], mine[2])


KINDS = {"scalars": "scalar", "histograms": "histogram", "images": "image", "audio": "audio", "text": "text",
         "hparams": "hparams", "graph_run_metadata": "run_metadata", "graph_tagged_run_metadata": "run_metadata",
         "graph_run_metadata_graph": "run_metadata", "graph_keras_model": "keras_graph"}


def kind_of(run, tag, plugin):
    if tag == "__run_graph__":
        return "graph"
    return KINDS.get(plugin, "tensor")


def check_blobs(where, kind, theirs, out, run, tag):
    """Contents that are compared as files."""
    for step, _, shape, texts in theirs:
        if kind == "image":
            encoded = texts[2:]
        elif kind == "audio":
            encoded = texts
        else:
            encoded = texts[:1]
        for i, content in enumerate(encoded):
            file = exported(out, run, tag, kind, step, i if len(encoded) > 1 else None)
            assert file.hex() == content, (where, step, i)
        yield len(encoded)


def listing_of(logdir):
    listed = json.loads(common.tideline("log", "ls", logdir, "--json", "--strict").stdout)
    return {(run["run"], tag["tag"], tag["kind"]): tag for run in listed["runs"] for tag in run["tags"]}, listed


def compare(logdir, folder):
    done = subprocess.run([common.TENSORFLOW, "-B", "-c", READ, logdir], capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(done.stderr[-3000:])
    wanted = json.loads(done.stdout.splitlines()[-1])
    out = folder / "out"
    common.tideline("log", "export", logdir, "-o", out, "--quiet")
    read = ours(logdir, folder)
    listed, _ = listing_of(logdir)
    checked = blobs = 0
    for run, tags in wanted.items():
        for tag, (plugin, rows) in tags.items():
            kind = kind_of(run, tag, plugin)
            where = f"{run} {tag} ({kind})"
            mixed = (run, tag, "histogram") in listed and (run, tag, "scalar") in listed
            if mixed:  # TensorBoard has both under one tag
                kind_rows = {"scalar": [r for r in rows if r[2] == []], "histogram": [r for r in rows if r[2] != []]}
                for each, part in kind_rows.items():
                    check_rows(where, plugin, each, part, read[run, tag, each], out, run, tag)
                    listed.pop((run, tag, each))
                continue
            entry = listed.pop((run, tag, kind), None)
            assert entry, f"{where} is not listed"
            assert entry["points"] == len(rows), (where, entry["points"], len(rows))
            assert entry["first_step"] == min(r[0] for r in rows) and entry["last_step"] == max(r[0] for r in rows)
            if kind in ("scalar", "histogram", "text"):
                check_rows(where, plugin, kind, rows, read[run, tag, kind], out, run, tag)
            elif kind == "tensor":
                check_tensors(where, rows, out, run, tag)
            elif kind != "hparams":
                blobs += sum(check_blobs(where, kind, rows, out, run, tag))
            checked += 1
    left = [key for key in listed if key[2] != "meta_graph"]
    assert not left, f"TensorBoard does not have {left}"
    return checked, blobs


def check_tensors(where, rows, out, run, tag):
    """A tensor of a type that NumPy has is an .npy file: its header ends with a line, then come the elements."""
    import struct
    for step, _, shape, values in rows:
        file = exported(out, run, tag, "tensor", step)
        head, elements = file[:file.index(b"\n") + 1], file[file.index(b"\n") + 1:]
        assert f"({', '.join(map(str, shape))}".encode() in head, (where, head)
        code = {b"<f4": "f", b"<f8": "d", b"<i4": "i", b"<i8": "q"}[head.split(b"'")[3]]
        numbers = struct.unpack(f"<{len(elements) // struct.calcsize(code)}{code}", elements)
        assert [repr(float(x)) for x in numbers] == values, where


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        checked, blobs = compare(str(common.DATA / "logs"), folder)
        assert checked > 50 and blobs > 100, (checked, blobs)
        print(f"{checked} tags as TensorBoard reads them, {blobs} contents byte for byte")
        writer = os.environ.get("TIDELINE_TENSORBOARDX_PYTHON", "")
        if not writer or not os.path.exists(writer):
            print("not compared: a log of tensorboardX (no TIDELINE_TENSORBOARDX_PYTHON)")
            return
        subprocess.run([writer, "-c", WRITE_X, str(folder / "x")], check=True, timeout=300)
        (folder / "more").mkdir()
        checked, blobs = compare(str(folder / "x"), folder / "more")
        assert checked >= 7, checked
        listed, _ = listing_of(str(folder / "x"))
        assert listed["two", "loss", "scalar"]["restarts"] == 1
        print(f"{checked} tags of a log that tensorboardX wrote")


if __name__ == "__main__":
    sys.exit(main())
