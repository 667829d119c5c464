#!/usr/bin/env python3
"""`run --from` and `compare --from` start from the values of a checkpoint: TensorFlow writes one after some steps,
and the losses go on as they do in TensorFlow."""
import json
import pathlib
import subprocess
import sys

import common

# Builds a graph with a v1 and a resource variable, trains three steps, saves, and prints the losses of three more.
SCRIPT = """
import os, struct, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
folder, resource = sys.argv[1], sys.argv[2] == "resource"
x = tf.placeholder(tf.float32, [4, 3], "x")
w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer(), use_resource=resource)
b = tf.get_variable("layer/b", [2], initializer=tf.zeros_initializer(), use_resource=resource)
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 3.0), name="loss")
train = tf.train.MomentumOptimizer(0.05, 0.9, name="momentum").minimize(loss, name="train")
tf.train.export_meta_graph(folder + "/graph.meta")
feed = np.arange(12, dtype=np.float32).reshape(4, 3) / 10
np.save(folder + "/x.npy", np.stack([feed] * 3))
config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
with tf.Session(config=config) as session:  # as the worker of `run` has it
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(train, {x: feed})
    tf.train.Saver().save(session, folder + "/model", write_meta_graph=False)
    tf.train.Saver([w, b]).save(session, folder + "/weights", write_meta_graph=False)
    for _ in range(3):
        print("0x%08x" % struct.unpack("<I", struct.pack("<f", session.run([loss, train], {x: feed})[0])))
"""


def check(folder, kind):
    done = subprocess.run([common.TENSORFLOW, "-c", SCRIPT, str(folder), kind], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    wanted = done.stdout.split()
    words = [folder / "graph.meta", "--train", "train", "--loss", "loss", "--feed", f"x={folder}/x.npy", "--json"]

    def losses(*more):
        done = common.tideline("run", *words, *more)
        return [step["bits"] for step in json.loads(done.stdout)["steps"]], done.stderr

    from_start, _ = losses()
    assert from_start != wanted
    common.tideline("checkpoint", "convert", folder / "model", "-o", folder / "model.safetensors")
    common.tideline("checkpoint", "convert", folder / "model", "-o", f"{folder}/arrays/")
    for checkpoint in ("model", "model.safetensors", "arrays"):
        got, said = losses("--from", folder / checkpoint)
        assert got == wanted and not said, (checkpoint, got, wanted, said)
    got, said = losses("--from", folder / "weights")
    assert got[0] == wanted[0] and got != wanted, got  # without the momentum the second step differs
    assert "2 of its variables are not in" in said and "layer/b/momentum" in said, said
    done = common.tideline("compare", words[0], *words, "--from", folder / "model")
    result = json.loads(done.stdout)
    assert result["identical"] and [loss["bits"] for loss in result["losses"]] == wanted, result
    done = common.tideline("run", *words, "--from", common.DATA / "checkpoints/small/ckpt", check=False)
    assert done.returncode == 1 and "has none of the 4 variables of the graph" in done.stderr, done.stderr
    other = folder / "other/"
    common.tideline("checkpoint", "convert", folder / "model", "-o", f"{other}/")
    (other / "w.npy").write_bytes((other / "layer/b.npy").read_bytes())
    (other / "tideline.json").unlink()
    done = common.tideline("run", *words, "--from", other, check=False)
    assert done.returncode == 1 and "tensor 'w' is float32 [2]; variable 'w'" in done.stderr, done.stderr
    print(kind, "variables start from checkpoints:", *wanted, flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        for kind in ("reference", "resource"):
            folder = pathlib.Path(name) / kind
            folder.mkdir()
            check(folder, kind)


if __name__ == "__main__":
    sys.exit(main())
