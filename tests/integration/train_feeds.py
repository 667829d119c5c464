"""Trains graphs in a plain TensorFlow 1 session on saved feeds: run by run_test.py, in TensorFlow's Python.

Reads [{graph, train, loss, feeds: {name: file}, steps, seed}] and prints the bits of the losses of each."""
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402


def config():
    config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1,
                            inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.memory_optimization = 1
    return config


def read(path, seed):
    data = open(path, "rb").read()
    graph_def = tf.MetaGraphDef.FromString(data).graph_def if path.endswith(".meta") else \
        tf.GraphDef.FromString(data)
    if seed is not None:
        random = sorted((n for n in graph_def.node if "seed2" in n.attr), key=lambda n: n.name)
        for index, node in enumerate(random):
            node.attr["seed"].i, node.attr["seed2"].i = seed, 1000 + index
    return graph_def


def train(graph, train, loss, feeds, steps, seed):
    with tf.Graph().as_default() as g:
        tf.import_graph_def(read(graph, seed), name="")
        variables = {o.name for o in g.get_operations() if o.type in ("VariableV2", "VarHandleOp")}
        inits = sorted((o for o in g.get_operations() if o.type in ("Assign", "AssignVariableOp")
                        and o.name.endswith("/Assign") and o.name[:-7] in variables), key=lambda o: o.name)
        arrays = {name if ":" in name else name + ":0": np.load(path) for name, path in feeds.items()}
        bits = []
        with tf.Session(graph=g, config=config()) as session:
            for op in inits:
                session.run(op)
            for step in range(steps):
                value, _ = session.run([loss + ":0", g.get_operation_by_name(train)],
                                       {name: array[step] for name, array in arrays.items()})
                bits.append("0x" + value.tobytes()[::-1].hex())
        return bits


if __name__ == "__main__":
    json.dump([train(**job) for job in json.load(sys.stdin)], sys.stdout)
