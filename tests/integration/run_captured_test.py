#!/usr/bin/env python3
"""A step of TensorFlow 2 that captures its variables runs by itself: with the values of its SavedModel it gives the
losses that TensorFlow gives, and beside a rewritten one the same bits."""
import json
import pathlib
import subprocess
import sys
import tempfile

import common

MODEL = common.DATA / "saved_models/train_step"
FUNCTION = "__inference_train_step_138"

# Prints the bits of the losses of three steps of the model's own function.
SCRIPT = """
import os, struct, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
model = tf.saved_model.load(sys.argv[1])
step = model.signatures["train"]
images, labels = np.load(sys.argv[2] + "/images.npy"), np.load(sys.argv[2] + "/labels.npy")
for i in range(3):
    loss, = step(images=tf.constant(images[i]), labels=tf.constant(labels[i])).values()
    print("0x%08x" % struct.unpack("<I", struct.pack("<f", loss.numpy())))
"""


def run(verb, *words):
    done = common.tideline(verb, *words)
    return json.loads(done.stdout), done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        feeds = ["--feed", "images=float32:4x8x8x1", "--feed", "labels=int64:4:3"]
        words = ["--function", FUNCTION, "--train", "NoOp", "--loss", "Identity_2", "--steps", 3, "--json"]
        got, said = run("run", MODEL, *words, *feeds, "--save-feeds", folder / "fed")
        assert not said and got["captured_variables"] == 12 and got["made_up_variables"] == 0, (got, said)
        done = subprocess.run([common.TENSORFLOW, "-c", SCRIPT, str(MODEL), str(folder / "fed")], capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        assert [step["bits"] for step in got["steps"]] == done.stdout.split(), (got, done.stdout)

        out = folder / "rewritten"
        common.tideline("rewrite", "lms2", MODEL, "--function", FUNCTION, "-o", out, *common.lms2(3, 2, 1))
        compared, said = run("compare", MODEL, out, *words, *feeds)
        assert compared["identical"] and compared["variables"] == 12 and not said, (compared, said)

        # The body alone has no checkpoint: its numbers are made up, are the same each time, and are trained.
        body = folder / "body.pb"
        common.tideline("convert", MODEL, "--function", FUNCTION, "-o", body)
        words = ["--train", "NoOp", "--loss", "Identity_2", "--steps", 3, "--json"]
        first, said = run("run", body, *words, *feeds)
        assert first["made_up_variables"] == 12 and "12 of 12 captured variables" in said, (first, said)
        losses = [step["bits"] for step in first["steps"]]
        assert len(set(losses)) == 3 and losses == [step["bits"] for step in run("run", body, *words, *feeds)[0]["steps"]]
        # It still says which variables they are, so a checkpoint of the model has them.
        from_model, said = run("run", body, *words, *feeds, "--from", MODEL / "variables/variables")
        assert from_model["steps"] == got["steps"] and not said, (from_model, said)


if __name__ == "__main__":
    sys.exit(main())
