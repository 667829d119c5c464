#!/usr/bin/env python3
"""Graphs cut into sections train bit for bit like the original, in less memory, on TensorFlow 2.15.

    sections_test.py TIDELINE [large]

`large`: a graph whose step TensorFlow prepares for minutes."""
import gzip
import json
import pathlib
import sys

import common

ADAM, MOMENTUM = "adam_optimizer/Adam", "momentum_optimizer/Momentum"
# Graph, train op, loss, how it is cut, feeds.
CASES = [
    ("tutorial_mnist.meta", ADAM, "loss/sparse_softmax_cross_entropy_loss/value", ["--levels", "8,16"],
     ["Placeholder=float32:4x784", "Placeholder_1=int64:4:10", "dropout/Placeholder=float32::1"]),
    ("mlp.meta", ADAM, "loss/Mean", ["--levels", "0:4,4:6,6:99"], ["x=float32:8x32", "y=int64:8:10"]),
    ("resource_vars.meta", ADAM, "loss/Mean", ["--sections", "3"], ["x=float32:4x32x32x3", "y=int64:4:10"]),
    ("lstm.meta", ADAM, "loss/Mean", ["--levels", "8,16"],
     ["tokens=int32:4x10:100", "label=int32:4:2", "seqlen=int32:4:10"]),
    ("cond.meta", MOMENTUM, "loss/Mean", ["--sections", "3"], ["x=float32:8x16", "y=int64:8:4", "is_training=bool:"]),
    ("embedding_sparse.meta", ADAM, "Mean", ["--sections", "3"],
     ["user=int64:4:100", "items=int64:4x20:100", "y=float32:4"]),
    ("while_nested.meta", "sgd_optimizer/GradientDescent", "Mean", ["--sections", "2"], ["x=float32:8x16"]),
    ("plain_mlp3_adam.meta", "Adam", "graph_section_2/loss",
     ["--scopes", "graph_section_0,graph_section_1,graph_section_2"], ["x=float32:8x12", "y=float32:8x4"]),
    ("plain_mlp3_momentum.meta", "Momentum", "graph_section_2/loss",
     ["--scopes", "graph_section_0,graph_section_1,graph_section_2"], ["x=float32:8x12", "y=float32:8x4"]),
    # Plain chains of dense layers of one width, where no level is a better place to cut than another.
    ("chain3_momentum.meta", "train", "loss", ["--sections", "3"], ["x=float32:8x16", "y=int64:8:4"]),
    ("chain6_sgd.meta", "train", "loss", ["--sections", "4"], ["x=float32:8x16", "y=int64:8:4"]),
    ("chain8_adam.meta", "train", "loss", ["--sections", "6"], ["x=float32:8x16", "y=int64:8:4"]),
    # A section without variables, and a weight that several sections share.
    ("plain_merge4_novar_adam.meta", "Adam", "graph_section_3/loss",
     ["--scopes", "graph_section_0,graph_section_1,graph_section_2,graph_section_3"],
     ["x=float32:8x12", "y=float32:8x4"]),
]
LARGE = [("resnet50.meta", MOMENTUM, "loss/Mean", ["--levels", "37,115"],
          ["images=float32:2x224x224x3", "labels=int64:2:1000"])]


def find(name):
    for folder in ("sections", "foreign/graphs"):
        if (common.DATA / folder / name).exists():
            return common.DATA / folder / name
    return common.graph(name)


def run(verb, graph, words, feeds, steps=3):
    done = common.tideline(verb, *graph, *words, *sum((["--feed", feed] for feed in feeds), []), "--steps", steps,
                           "--json")
    return json.loads(done.stdout)


def cut(graph, folder, train, loss, how, batch=4):
    out, plan = folder / "out.meta", folder / "plan.json"
    common.tideline("rewrite", "sections", graph, "-o", out, "--force", "--plan-json", plan, "--train-op", train,
                    "--loss", loss, "--batch-size", batch, *how)
    return out, plan


def check_case(folder, name, train, loss, how, feeds):
    graph = find(name)
    out, plan = cut(graph, folder, train, loss, how)
    found = run("compare", [graph, out], ["--plan", plan, "--train", train, "--loss", loss], feeds)
    assert found["identical"] and found["sound"], (name, found["difference"])
    names = ["forward"] + [f"section {p['section']}" for p in json.loads(plan.read_text())["phases"]]
    assert [entry["run"] for entry in found["runs"]] == names, (name, found["runs"])
    assert found["original_measured_peak_bytes"] > 0
    common.tideline("diff", graph, out, "--plan", plan)
    applied = folder / "applied.meta"
    common.tideline("rewrite", "apply", graph, "--plan", plan, "-o", applied, "--force")
    assert applied.read_bytes() == out.read_bytes(), name
    # The plan runs on its graph and on the graph that it gives.
    losses = [[step["bits"] for step in run("run", [source], ["--plan", plan, "--train", train, "--loss", loss,
                                                             "--seed", "7"], feeds)["steps"]]
              for source in (graph, out)]
    assert losses[0] == losses[1] == [step["bits"] for step in found["losses"]], (name, losses)
    print(name, "equal", flush=True)


def check_resnet(folder):
    """5,555 ops with batch normalisations in conditionals."""
    packed = common.DATA / "sections/plain_resnet_adam.meta.gz"
    graph = folder / "resnet.meta"
    graph.write_bytes(gzip.decompress(packed.read_bytes()))
    about = json.loads((common.DATA / "sections/plain_resnet_adam.json").read_text())
    out, plan = cut(graph, folder, about["train_op"], about["loss"],
                    ["--sections", "4"], batch=16)
    made = json.loads(plan.read_text())
    transient = [p["device_peak_bytes"] - p["resident_bytes"] for p in
                 [made["predicted"]["plain"], made["predicted"]["forward"]] + [p["predicted"] for p in made["phases"]]]
    assert max(transient[1:]) <= 0.55 * transient[0], transient
    feeds = ["images=float32:16x28x28x1", "labels=float32:16x10", "is_training=bool:"]
    found = run("compare", [graph, out], ["--plan", plan, "--train", about["train_op"], "--loss", about["loss"]],
                feeds, steps=2)
    # Without the scratch memory of convolutions, which grows with the cache of the machine.
    largest = max(entry["measured_tensors_bytes"] for entry in found["runs"])
    assert largest <= 0.55 * found["original_measured_tensors_bytes"], found["runs"]
    print("resnet: largest measured peak", largest, "of", found["original_measured_tensors_bytes"], flush=True)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        is_large = sys.argv[2:] == ["large"]
        for case in LARGE if is_large else CASES:
            check_case(pathlib.Path(name), *case)
        if not is_large:
            check_resnet(pathlib.Path(name))


if __name__ == "__main__":
    main()
