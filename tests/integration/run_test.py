#!/usr/bin/env python3
"""`run` trains on a real TensorFlow with the bits of Python's on the same feeds, `compare` tells right from
wrong, and nothing stays behind. More about crashes and limits is in tests/unit/runtime, without TensorFlow."""
import json
import os
import pathlib
import subprocess
import sys

import common

ADAM, MOMENTUM = "adam_optimizer/Adam", "momentum_optimizer/Momentum"
CASES = {
    "tutorial_mnist": (ADAM, "loss/sparse_softmax_cross_entropy_loss/value",
                       ["Placeholder=float32:4x784", "Placeholder_1=int64:4:10",
                        "dropout/Placeholder=float32::1"]),
    "mlp": (ADAM, "loss/Mean", ["x=float32:8x32", "y=int64:8:10"]),
    "cond": (MOMENTUM, "loss/Mean", ["x=float32:8x16", "y=int64:8:4", "is_training=bool:"]),
    "lstm": (ADAM, "loss/Mean", ["tokens=int32:4x10:100", "label=int32:4:2", "seqlen=int32:4:10"]),
    "resource_vars": (ADAM, "loss/Mean", ["x=float32:4x32x32x3", "y=int64:4:10"]),
}
SEED, STEPS = 11, 20


def graph_of(case):
    return common.graph(f"{case}.meta")


def words(case, feeds=None):
    train, loss, generated = CASES[case]
    given = [f"{name}={path}" for name, path in feeds.items()] if feeds else generated
    return ["--train", train, "--loss", loss, *(w for feed in given for w in ("--feed", feed))]


def same_bits_as_python(folder):
    """20 steps on generated feeds, on the saved ones, and in Python on the saved ones."""
    jobs, ours = [], []
    for case in CASES:
        graph = graph_of(case)
        done = common.tideline("run", graph, *words(case), "--seed", SEED, "--steps", STEPS, "--json",
                               "--save-feeds", folder / f"feeds_{case}")
        first = json.loads(done.stdout)
        again = json.loads(common.tideline("run", graph, *words(case, first["saved_feeds"]), "--seed", SEED,
                                           "--json").stdout)
        bits = [step["bits"] for step in first["steps"]]
        assert bits == [step["bits"] for step in again["steps"]], case
        assert len(set(bits)) > 1, case
        ours.append((case, bits))
        jobs.append({"graph": str(graph), "train": CASES[case][0], "loss": CASES[case][1],
                     "feeds": first["saved_feeds"], "steps": STEPS, "seed": SEED})
    script = pathlib.Path(__file__).resolve().parent / "train_feeds.py"
    done = subprocess.run([common.TENSORFLOW, "-B", script], input=json.dumps(jobs), capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for (case, bits), python in zip(ours, json.loads(done.stdout)):
        assert bits == python, f"{case}: {bits} {python}"
        print(case, "losses of", len(bits), "steps are Python's, bit for bit", flush=True)


def rewrites_are_identical(folder):
    for case in ("tutorial_mnist", "mlp", "lstm", "resource_vars"):
        graph = graph_of(case)
        scope = CASES[case][0].split("/")[0]
        modes = {"lms2": ["--swapout-threshold", 5, "--swapin-ahead", 2, "--swapin-groupby", 2],
                 "lms1": ["--optimizer-scopes", scope]}
        for mode, options in modes.items():
            out = folder / f"{case}.{mode}.meta"
            common.tideline("rewrite", mode, graph, "-o", out, "--quiet", *options)
            assert out.read_bytes() != graph.read_bytes(), case
            done = common.tideline("compare", graph, out, *words(case), "--steps", 3)
            assert done.stdout.startswith("identical"), done.stdout
            print(case, mode, done.stdout.strip(), flush=True)


PLANT = """
import sys
import tensorflow.compat.v1 as tf
source, target, op, slot, other = sys.argv[1:]
meta = tf.MetaGraphDef.FromString(open(source, "rb").read())
node = next(n for n in meta.graph_def.node if n.name == op)
assert node.input[int(slot)] != other
node.input[int(slot)] = other
open(target, "wb").write(meta.SerializeToString())
"""


def planted_edge_is_found(folder):
    graph, planted = graph_of("mlp"), folder / "planted.meta"
    done = subprocess.run([common.TENSORFLOW, "-c", PLANT, str(graph), str(planted), "fc1/Relu", "0",
                           "fc1/MatMul"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    done = common.tideline("compare", graph, planted, *words("mlp"), check=False)
    assert done.returncode == 3 and done.stdout.startswith("different: step "), (done.returncode, done.stdout)
    answer = json.loads(common.tideline("compare", graph, planted, *words("mlp"), "--json", check=False).stdout)
    assert not answer["identical"] and answer["difference"]["tensor"], answer
    print("planted edge:", done.stdout.splitlines()[0], flush=True)


def plan_is_applied(folder):
    graph, out, plan = graph_of("mlp"), folder / "planned.meta", folder / "plan.json"
    common.tideline("rewrite", "lms2", graph, "-o", out, "--plan-json", plan, *common.lms2(5, 2, 2))
    losses = [json.loads(common.tideline("run", *run, *words("mlp"), "--seed", SEED, "--json").stdout)["steps"]
              for run in ((graph, "--plan", plan), (out,))]
    assert losses[0] == losses[1]
    done = common.tideline("run", graph_of("cond"), "--plan", plan, *words("cond"), check=False)
    assert done.returncode == 1 and str(plan) in done.stderr, done.stderr
    print("a plan is applied before the run", flush=True)


def trace_is_a_log(folder):
    log = folder / "log"
    common.tideline("run", graph_of("mlp"), *words("mlp"), "--steps", 3, "--trace", log)
    common.tideline("inspect", log)
    script = folder / "measured.tls"
    script.write_text("view.axis measured\nprint result\n", encoding="utf-8")
    said = common.tideline("script", log, script).stdout
    assert "measured peak" in said, said
    code = """
import os, sys, json
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from tensorboard.backend.event_processing import event_accumulator
log = event_accumulator.EventAccumulator(sys.argv[1]); log.Reload()
trace = log.RunMetadata("step_2")
print(json.dumps({"losses": [s.step for s in log.Scalars("loss")], "ops": len(log.Graph().node),
                  "ran": sum(len(d.node_stats) for d in trace.step_stats.dev_stats)}))
"""
    done = subprocess.run([common.TENSORFLOW, "-c", code, str(log)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    answer = json.loads(done.stdout)
    assert answer["losses"] == [0, 1, 2] and answer["ops"] > 100 and answer["ran"] > 50, answer
    again = common.tideline("run", graph_of("mlp"), *words("mlp"), "--trace", log, check=False)
    assert again.returncode == 1 and "holds a log already" in again.stderr, again.stderr
    print("TensorBoard reads the log:", answer, flush=True)


def main():
    common.need_tensorflow()
    os.environ.pop("TFDIR", None)
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        same_bits_as_python(folder)
        rewrites_are_identical(folder)
        planted_edge_is_found(folder)
        plan_is_applied(folder)
        trace_is_a_log(folder)


if __name__ == "__main__":
    sys.exit(main())
