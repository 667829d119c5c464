#!/usr/bin/env python3
"""A run that saves its variables and goes on later has the losses of a run in one piece, to the bit; TensorFlow reads what it saved; and a
run that is killed at any moment leaves a checkpoint that is whole."""
import json
import pathlib
import random
import signal
import subprocess
import sys
import time

import common

FEEDS = ("--feed", "x=float32:12x32", "--feed", "y=int64:12:10")
WORDS = ("--train", "adam_optimizer/Adam", "--loss", "loss/Mean", *FEEDS, "--seed", "1")
KILLS = 20

READS = """
import json, sys
import tensorflow as tf
reader = tf.train.load_checkpoint(sys.argv[1])
print(json.dumps({name: reader.get_tensor(name).tobytes().hex() for name in reader.get_variable_to_shape_map()}))
"""


def run(*words, check=True):
    return common.tideline("run", common.graph("mlp.meta"), *WORDS, *words, check=check)


def bits(done):
    return [step["bits"] for step in json.loads(done.stdout)["steps"]]


def goes_on(folder):
    whole = bits(run("--steps", 12, "--json"))
    prefix = folder / "saved"
    first = run("--steps", 7, "--save", prefix, "--resume", "--json")  # there is nothing yet
    again = run("--steps", 12, "--save", prefix, "--resume", "--json")
    assert bits(first) + bits(again) == whole, (first.stdout, again.stdout, whole)
    steps = [step["step"] for step in json.loads(again.stdout)["steps"]]
    assert steps == list(range(7, 12)) and json.loads(again.stdout)["checkpoint"]["first_step"] == 7, again.stdout
    assert "resumed behind step 11" in run("--steps", 12, "--save", prefix, "--resume").stdout
    done = subprocess.run([common.TENSORFLOW, "-c", READS, prefix], capture_output=True, text=True, timeout=300)
    values = json.loads(done.stdout)
    assert int.from_bytes(bytes.fromhex(values["tideline_run/next_step"]), "little") == 12, values.keys()
    assert len(values) == 22, values.keys()
    print("a run that goes on has the losses of one in one piece, and TensorFlow reads its", len(values), "tensors", flush=True)


def kills(folder):
    """At random moments, while it saves after every step."""
    prefix = folder / "killed"
    moments = random.Random(46)
    for _ in range(KILLS):
        process = subprocess.Popen([common.PROGRAM, "run", common.graph("mlp.meta"), *WORDS, "--steps", "1000000", "--save", prefix,
                                    "--save-every", "1", "--resume"], stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        while not line.startswith(("resumed", "step")):
            line = process.stdout.readline()
        time.sleep(moments.random() * 0.2)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if pathlib.Path(f"{prefix}.index").exists():
            common.tideline("checkpoint", "verify", prefix)
    reached = int(run("--steps", 1, "--save", prefix, "--resume").stdout.split("resumed behind step ")[1].split()[0]) + 1
    rest = bits(run("--steps", reached + 5, "--save", prefix, "--resume", "--json"))
    assert reached > 1 and rest == bits(run("--steps", reached + 5, "--json"))[reached:], (reached, rest)
    print(f"after {KILLS} kills the checkpoint of step {reached} is whole, and the run goes on to the same bits", flush=True)


def refusals(folder):
    prefix = folder / "foreign"
    made = "import sys, tensorflow as tf; tf.train.Checkpoint(v=tf.Variable(1.0)).write(sys.argv[1])"
    subprocess.run([common.TENSORFLOW, "-c", made, prefix], check=True, capture_output=True, timeout=300)
    for words, code, reason in ((("--save", prefix, "--resume"), 1, "so no run has saved it; expected a checkpoint of --save, or --from"),
                                (("--resume",), 2, "--save"), (("--save-every", 2), 2, "--save"),
                                (("--save", prefix, "--resume", "--from", prefix), 2, "--from"),
                                (("--save", folder / "none/there", "--steps", 1), 1, "none")):
        done = run(*words, check=False)
        assert done.returncode == code and reason in done.stderr, (words, done.returncode, done.stderr)
    print("what is no checkpoint of a run is refused", flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        goes_on(folder)
        kills(folder)
        refusals(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
