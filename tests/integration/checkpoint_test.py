#!/usr/bin/env python3
"""What TensorFlow writes `checkpoint` reads, and what `checkpoint convert` writes TensorFlow reads: every element
type, 4,000 tensors, variables in slices, several shards, strings, tables of version 1. Also: what NumPy and a reader of safetensors
that knows nothing of us see."""
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys

import common

SAMPLES = ("every", "many", "sliced", "keras", "tables")
WORKER = pathlib.Path(__file__).resolve().parent / "checkpoint_worker.py"


def worker(*words):
    done = subprocess.run([common.TENSORFLOW, "-B", WORKER, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def checkpoint(*words):
    return common.tideline("checkpoint", *words)


def same_listing(folder, seen):
    """`ls` says what TensorFlow says of each, `verify` finds nothing, `stat` counts every element."""
    for name, tensors in seen.items():
        listed = json.loads(checkpoint("ls", folder / name, "--json").stdout)["tensors"]
        assert {t["name"]: [t["dtype"], t["shape"]] for t in listed} == \
            {tensor: facts[:2] for tensor, facts in tensors.items()}, name
        found = json.loads(checkpoint("verify", folder / name, "--json").stdout)
        assert not found["damages"] and found["tensors"] == len(tensors), found
        for t in json.loads(checkpoint("stat", folder / name, "--json").stdout)["tensors"]:
            elements = 1
            for dim in t["shape"]:
                elements *= dim
            assert t["elements"] == elements, t
        print(name, "has the", len(listed), "tensors that TensorFlow has", flush=True)


def safetensors_content(path):
    """{name: sha256 of its bytes}, by the format's description alone."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + size])
    head.pop("__metadata__")
    body = data[8 + size:]
    return {name: hashlib.sha256(body[slice(*facts["data_offsets"])]).hexdigest()
            for name, facts in head.items()}


def conversions_are_read(folder, seen):
    """Into every format and back: TensorFlow finds the same types, shapes and bytes."""
    prefixes, names = [], []
    for name in seen:
        source = folder / name
        tensors, arrays = folder / f"{name}.safetensors", folder / f"{name}_arrays"
        checkpoint("convert", source, "-o", tensors)
        checkpoint("convert", source, "-o", f"{arrays}/")
        checkpoint("convert", source, "-o", folder / f"{name}_direct")
        checkpoint("convert", tensors, "-o", folder / f"{name}_from_tensors")
        checkpoint("convert", arrays, "-o", folder / f"{name}_from_arrays")
        for way in ("direct", "from_tensors", "from_arrays"):
            prefixes.append(folder / f"{name}_{way}")
            names.append(name)
            said = checkpoint("diff", source, prefixes[-1]).stdout
            assert said == f"{len(seen[name])} tensors are equal, 0 differ\n", said
        plain = safetensors_content(tensors)
        assert plain == {tensor: facts[2] for tensor, facts in seen[name].items() if facts[0] != "string"}
    for prefix, name, read in zip(prefixes, names, json.loads(worker("read", *prefixes))):
        assert read == seen[name], prefix
    print(len(prefixes), "conversions are read by TensorFlow", flush=True)


def numpy_reads_arrays(folder, seen):
    script = ("import numpy, sys, hashlib, json; print(json.dumps([hashlib.sha256(numpy.load(p).tobytes())"
              ".hexdigest() for p in json.load(sys.stdin)]))")
    wanted = {tensor: facts[2] for tensor, facts in seen["many"].items()}
    paths = [folder / "many_arrays" / (tensor.replace("/.", "/%2E") + ".npy") for tensor in wanted]
    done = subprocess.run([common.TENSORFLOW, "-c", script], input=json.dumps([str(p) for p in paths]),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == list(wanted.values())
    print("NumPy reads", len(paths), "arrays", flush=True)


def damage_is_seen_as_tensorflow_sees_it(folder):
    data = folder / "keras_direct.data-00000-of-00001"
    listed = json.loads(checkpoint("ls", folder / "keras_direct", "--json").stdout)["tensors"]
    byte = next(t["offset"] for t in listed if t["dtype"] == "float32" and t["size"] > 100) + 77
    content = bytearray(data.read_bytes())
    content[byte] ^= 0x10
    data.write_bytes(content)
    done = common.tideline("checkpoint", "verify", folder / "keras_direct", check=False)
    assert done.returncode == 3 and f"bit 4 of byte {byte} is flipped" in done.stdout, done.stdout
    script = ("import sys, tensorflow as tf\nr = tf.train.load_checkpoint(sys.argv[1])\n"
              "for n in r.get_variable_to_dtype_map():\n"
              "  try: r.get_tensor(n)\n  except Exception as e: print(n)")
    told = subprocess.run([common.TENSORFLOW, "-c", script, str(folder / "keras_direct")], capture_output=True,
                          text=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    refused = told.stdout.split()
    assert len(refused) == 1 and f"tensor '{refused[0]}'" in done.stdout, (refused, done.stdout)
    print("a flipped bit is named, and TensorFlow refuses the same tensor:", refused[0], flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        worker("make", folder)
        seen = dict(zip(SAMPLES, json.loads(worker("read", *(folder / each for each in SAMPLES)))))
        assert len(seen["many"]) == 4000 and len(seen["every"]) > 70
        same_listing(folder, seen)
        conversions_are_read(folder, seen)
        numpy_reads_arrays(folder, seen)
        damage_is_seen_as_tensorflow_sees_it(folder)


if __name__ == "__main__":
    sys.exit(main())
