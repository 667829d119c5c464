#!/usr/bin/env python3
"""Write training graphs of plain chains of dense layers, as users of large models cut them (TensorFlow 2.15, compat.v1).

    make_chains.py FOLDER

For each of CHAINS a MetaGraphDef: x [?, width], y [?], layers of one width with a bias and ReLU, a softmax loss,
one minimize op called train. The bytes are the same each time."""
import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402

v1 = tf.compat.v1
WIDTH, CLASSES = 16, 4
# Name: layers, optimizer.
CHAINS = {
    "chain3_momentum": (3, lambda: v1.train.MomentumOptimizer(0.1, 0.9)),
    "chain6_sgd": (6, lambda: v1.train.GradientDescentOptimizer(0.1)),
    "chain8_adam": (8, lambda: v1.train.AdamOptimizer(0.01)),
}


def chain(layers, optimizer):
    graph = v1.Graph()
    with graph.as_default():
        x, y = v1.placeholder(tf.float32, [None, WIDTH], "x"), v1.placeholder(tf.int64, [None], "y")
        out = x
        for i in range(layers):
            width = CLASSES if i == layers - 1 else WIDTH
            weights = v1.get_variable(f"w{i}", [out.shape[1], width], use_resource=False)
            out = tf.nn.bias_add(tf.matmul(out, weights), v1.get_variable(f"b{i}", [width], use_resource=False))
            out = out if i == layers - 1 else tf.nn.relu(out)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=out)
        optimizer().minimize(tf.reduce_mean(loss, name="loss"), name="train")
        v1.global_variables_initializer()
        return v1.train.export_meta_graph(graph=graph)


def main():
    v1.disable_eager_execution()
    for name, (layers, optimizer) in CHAINS.items():
        meta = chain(layers, optimizer)
        meta.meta_info_def.ClearField("stripped_op_list")
        path = pathlib.Path(sys.argv[1]) / f"{name}.meta"
        path.write_bytes(meta.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
