#!/usr/bin/env python3
"""Graphs with towers train on TensorFlow as the reference's do; gradients are, bit for bit, those of the parts of
the batch; two processes train like one; and what cannot be replicated is refused with a reason.

    replicate_test.py TIDELINE [reference]      reference: only the comparison with the reference"""
import json
import pathlib
import subprocess
import sys

import clusters
import common

FOLDER = common.DATA / "replicate"
ADAM, MOMENTUM = "adam_optimizer/Adam", "momentum_optimizer/Momentum"
MNIST = {"Placeholder:0": ["float32", [0, 784], 1], "Placeholder_1:0": ["int64", [0], 10],
         "dropout/Placeholder:0": ["float32", [], 1]}
# Train op, loss, tensors to split, feeds (type, shape behind the batch, numbers below), examples.
TRAINED = {
    "tutorial_mnist.meta": (ADAM, "loss/sparse_softmax_cross_entropy_loss/value:0",
                            "Placeholder:0,Placeholder_1:0", MNIST, 8),
    "mlp.meta": (ADAM, "loss/Mean:0", "x:0,y:0",
                 {"x:0": ["float32", [0, 32], 1], "y:0": ["int64", [0], 10]}, 8),
    "resource_vars.meta": (ADAM, "loss/Mean:0", "x:0,y:0",
                           {"x:0": ["float32", [0, 32, 32, 3], 1], "y:0": ["int64", [0], 10]}, 8),
    "resnet50.meta": (MOMENTUM, "loss/Mean:0", "images:0,labels:0",
                      {"images:0": ["float32", [0, 224, 224, 3], 1], "labels:0": ["int64", [0], 1000]}, 2),
    "lstm.meta": (ADAM, "loss/Mean:0", "tokens:0,label:0,seqlen:0",
                  {"tokens:0": ["int32", [0, 10], 100], "label:0": ["int32", [0], 2],
                   "seqlen:0": ["int32", [0], 10]}, 8),
    "cond.meta": (MOMENTUM, "loss/Mean:0", "x:0,y:0",
                  {"x:0": ["float32", [0, 16], 1], "y:0": ["int64", [0], 4], "is_training:0": ["bool", [], 0]}, 8),
}
REFUSED = {
    "train_single_static_momentum_res.meta": "fixed batch size 12",
}


def devices(towers):
    return ",".join(f"/device:CPU:{i}" for i in range(towers))


def replicate(graph, folder, towers, *words, case=None, named=None):
    """The graph with towers and its plan, as files."""
    out, plan = folder / f"{graph.stem}.{towers}.meta", folder / f"{graph.stem}.{towers}.json"
    train, loss, split = (case or TRAINED[graph.name])[:3]
    common.tideline("rewrite", "replicate", graph, "-o", out, "--plan-json", plan, "--force", "--quiet",
                    "--devices", named or devices(towers), "--split", split, "--loss", loss, "--train-op", train,
                    *words)
    return out, plan


def tensorflow(jobs):
    script = pathlib.Path(__file__).resolve().parent / "towers_tensorflow.py"
    jobs = [[str(word) if isinstance(word, pathlib.Path) else word for word in job] for job in jobs]
    done = subprocess.run([common.TENSORFLOW, "-B", script], input=json.dumps(jobs), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def like_the_reference():
    """Losses, variables, metrics and predictions of the oracle, on one and two devices."""
    keys = ["sgd", "sgd_res", "momentum", "momentum_res", "momentum_loop", "momentum_loop_res", "adam", "eval",
            "predict", "placement"]
    checker = common.SUPPORT / "check_replicate.py"
    for key in keys:
        for towers in (1, 2):
            done = common.run_on_tensorflow(checker, common.PROGRAM, FOLDER, key, towers)
            assert done.returncode == 0, f"{key} {towers}: {done.stdout}{done.stderr[-3000:]}"
            print(done.stdout.strip().splitlines()[-1], flush=True)


def gradients_of_the_parts(folder):
    """On two and three towers; the larger models on two."""
    jobs, names = [], []
    for name, case in TRAINED.items():
        graph = common.graph(name)
        for towers in ((2,) if "res" in name else (2, 4)):
            out, plan = replicate(graph, folder, towers)
            jobs.append(["gradients", graph, out, plan, case[3], towers, case[4]])
            names.append(f"{name} on {towers}")
    for name, found in zip(names, tensorflow(jobs)):
        assert not found["different"] and found["finite"], f"{name}: {found}"
        assert found["nonzero"] > found["compared"] // 2, f"{name}: {found}"
        print(f"{name}: {found['compared']} aggregated tensors are those of the parts, bit for bit", flush=True)


def averages(folder):
    """With --average two towers give the loss of the whole batch."""
    jobs, names = [], []
    for name in ("mlp.meta", "tutorial_mnist.meta", "lstm.meta"):
        case, graph = TRAINED[name], common.graph(name)
        out, plan = replicate(graph, folder, 2, "--average")
        loss = common.read_json(plan)["loss"]
        jobs += [["losses_of", graph, case[1], case[3], case[4], 1], ["losses_of", out, loss, case[3], case[4], 2]]
        names.append(name)
    answers = tensorflow(jobs)
    for i, name in enumerate(names):
        whole, mean = answers[2 * i], answers[2 * i + 1]
        # A mean over halves rounds otherwise than a mean over the whole.
        assert abs(whole - mean) < 1e-6 * max(1, abs(whole)), f"{name}: {whole} {mean}"
    print("averaged losses are those of the whole batch:", *names, flush=True)


def two_processes(folder):
    """Towers placed on two tasks of a cluster: the losses and variables of one process."""
    name = "mlp.meta"
    case, graph = TRAINED[name], common.graph(name)
    near, plan = replicate(graph, folder, 2)
    loss = common.read_json(plan)["loss"]
    tasks = ",".join(f"/job:worker/task:{i}/device:CPU:0" for i in range(2))
    far_folder = folder / "far"
    far_folder.mkdir()
    far, plan = replicate(graph, far_folder, 2, named=tasks)
    assert common.read_json(plan)["parameter_device"] == "/job:worker/task:0/device:CPU:0"
    one, two = tensorflow([["train", near, case[0], loss, case[3], 3, case[4], 2],
                           ["cluster", far, case[0], loss, case[3], 3, case[4], clusters.free_ports(2)]])
    assert one == two, (one["numbers"], two["numbers"])
    assert len(set(one["losses"])) == 3, one["numbers"]
    print("two processes train like one:", one["numbers"], flush=True)


def run_has_the_devices(folder):
    """`run` gives TensorFlow the CPU devices that the graph names; its losses are Python's."""
    name = "mlp.meta"
    out, plan = replicate(common.graph(name), folder, 3)
    loss = common.read_json(plan)["loss"]
    done = common.tideline("run", out, "--train", ADAM, "--loss", loss, "--feed", "x=float32:9x32", "--feed",
                           "y=int64:9:10", "--seed", 3, "--steps", 3, "--json")
    losses = [step["loss"] for step in json.loads(done.stdout)["steps"]]
    assert len(losses) == 3 and losses[0] > 0, losses
    print("run trains on three devices:", losses, flush=True)


def plans_and_chains(folder):
    """The plan gives the same graph again, `diff --plan` proves it, and lms2 goes on from there."""
    for name in ("mlp.meta", "resource_vars.meta", "lstm.meta"):
        graph = common.graph(name)
        out, plan = replicate(graph, folder, 2)
        again = folder / "again.meta"
        common.tideline("rewrite", "apply", graph, "--plan", plan, "-o", again, "--force", "--quiet")
        assert again.read_bytes() == out.read_bytes(), name
        common.tideline("diff", graph, out, "--plan", plan)
        train, loss, split = TRAINED[name][:3]
        chained, chain = folder / "chained.meta", folder / "chain.json"
        common.tideline("rewrite", "replicate", graph, "-o", chained, "--plan-json", chain, "--force", "--quiet",
                        "--devices", devices(2), "--split", split, "--loss", loss, "--train-op", train, "--then",
                        "lms2", "--swapout-threshold", 20, "--swapin-ahead", 3, "--swapin-groupby", 2)
        common.tideline("diff", graph, chained, "--plan", chain)
        assert [one["kind"] for one in common.read_json(chain)["plans"]] == ["replicate", "lms"], name
        print(name, "with swaps behind the towers", flush=True)


def refusals(folder):
    out = folder / "none.pb"
    for name, reason in REFUSED.items():
        done = common.tideline("rewrite", "replicate", FOLDER / name, "-o", out, "--devices", devices(2), "--split",
                               "x:0,ids:0,labels:0", "--loss", "mean_loss:0", "--train-op", "Momentum", check=False)
        assert done.returncode == 1 and reason in done.stderr and not out.exists(), (name, done)
        print(name, "is refused:", reason, flush=True)


def main():
    common.need_tensorflow()
    like_the_reference()
    if "reference" in sys.argv[2:]:
        return 0
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        gradients_of_the_parts(folder)
        averages(folder)
        two_processes(folder)
        run_has_the_devices(folder)
        plans_and_chains(folder)
        refusals(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
