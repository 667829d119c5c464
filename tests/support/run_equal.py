#!/usr/bin/env python3
"""Trains two graphs side by side on TensorFlow and compares them bit for bit; knows nothing of Tideline.

    run_equal.py ORIGINAL REWRITTEN --train OP --loss TENSOR
                 [--feed NAME=DTYPE:SHAPE[:MAX]]... [--steps N] [--compare-variables]

Graphs are GraphDef (.pb, .pbtxt) or MetaGraphDef (.meta). A feed of floats is uniform in [0, MAX), one of
integers in 0..MAX-1, one of bools is True (with MAX 0: False). Both graphs get the same feeds, the same seed
for every stateful random op, and start from their own initialisers. Exit code 0 when every loss (and
every variable) has the same bits and is finite after N steps, 1 when one differs, 2 when a file cannot be
imported. Devices that are missing are replaced by the CPU. Needs TensorFlow 2.15.
"""
import argparse
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
import numpy as np
import tensorflow.compat.v1 as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import rewriter_config_pb2

SEED, FIRST_OP_SEED, FEED_SEED = 7, 1000, 3


def read(path):
    path = pathlib.Path(path)
    if path.suffix == ".meta":
        return tf.MetaGraphDef.FromString(path.read_bytes()).graph_def
    if path.suffix == ".pbtxt":
        return text_format.Parse(path.read_text(encoding="utf-8"), tf.GraphDef())
    return tf.GraphDef.FromString(path.read_bytes())


def imported(path):
    graph_def = read(path)
    # By name: a rewrite adds ops, and may not change which op gets which seed.
    random_ops = sorted((op for op in graph_def.node if "seed2" in op.attr), key=lambda op: op.name)
    for number, op in enumerate(random_ops):
        op.attr["seed"].i, op.attr["seed2"].i = SEED, FIRST_OP_SEED + number
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    return graph


def session(graph):
    """One thread and no optimizer: only the graph decides about the bits."""
    config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1,
                            inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.rewrite_options.memory_optimization = rewriter_config_pb2.RewriterConfig.NO_MEM_OPT
    config.graph_options.optimizer_options.opt_level = -1
    return tf.Session(graph=graph, config=config)


def tensor(name):
    return name if ":" in name else name + ":0"


def parse_feed(text):
    """Name of the tensor, type, shape, and the number below which its values are."""
    name, what = text.split("=", 1)
    dtype, *rest = what.split(":")
    dims = [int(dim) for dim in rest[0].split("x")] if rest and rest[0] else []
    return tensor(name), np.dtype(dtype), dims, float(rest[1]) if len(rest) > 1 else 1.0


def values_of(feeds, random):
    answer = {}
    for name, dtype, dims, below in feeds:
        if dtype.kind == "b":
            value = np.full(dims, below >= 1)
        elif dtype.kind == "f":
            value = random.random(dims) * below
        else:
            value = random.integers(0, max(int(below), 1), dims)
        answer[name] = np.asarray(value, dtype)
    return answer


def variables_of(graph, runner):
    found = {}
    for op in graph.get_operations():
        if op.type == "VarHandleOp":
            with graph.as_default():
                found[op.name] = runner.run(tf.raw_ops.ReadVariableOp(resource=op.outputs[0],
                                                                      dtype=op.get_attr("dtype")))
        elif op.type == "VariableV2":
            found[op.name] = runner.run(op.outputs[0])
    return found


def train(graph, arguments):
    """Losses of the steps, and the variables after them when they are asked for."""
    ops = graph.get_operations()
    variables = {op.name for op in ops if op.type in ("VariableV2", "VarHandleOp")}
    initialisers = [op for op in ops if op.type in ("Assign", "AssignVariableOp")
                    and op.name.removesuffix("/Assign") in variables]
    random = np.random.default_rng(FEED_SEED)
    feeds = [parse_feed(text) for text in arguments.feed]
    fetched = [tensor(arguments.loss), graph.get_operation_by_name(arguments.train)]
    losses = []
    with session(graph) as runner:
        for op in sorted(initialisers, key=lambda op: op.name):
            runner.run(op)
        for _ in range(arguments.steps):
            losses.append(np.asarray(runner.run(fetched, values_of(feeds, random))[0]))
        return losses, variables_of(graph, runner) if arguments.compare_variables else {}


def differences(original, rewritten):
    (losses, variables), (other_losses, other_variables) = original, rewritten
    found = []
    for step, (loss, other) in enumerate(zip(losses, other_losses)):
        print(f"step {step}: {loss!r} {other!r}")
        if loss.tobytes() != other.tobytes():
            found.append(f"the loss of step {step} differs")
        if not np.isfinite(loss).all():
            found.append(f"the loss of step {step} is no finite number")
    for name, value in variables.items():
        if name not in other_variables or value.tobytes() != other_variables[name].tobytes():
            found.append(f"variable differs: {name}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("original")
    parser.add_argument("rewritten")
    parser.add_argument("--train", required=True)
    parser.add_argument("--loss", required=True)
    parser.add_argument("--feed", action="append", default=[])
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--compare-variables", action="store_true")
    arguments = parser.parse_args()
    results = []
    for path in (arguments.original, arguments.rewritten):
        try:
            graph = imported(path)
        except Exception as error:  # TensorFlow raises many kinds for a file that it refuses
            print(f"error: {path}: {error}")
            return 2
        results.append(train(graph, arguments))
    found = differences(*results)
    for line in found:
        print(line)
    count = len(results[0][1])
    print("DIFFERENT" if found else "identical", f"({count} variables compared)" if count else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
