#!/usr/bin/env python3
"""TensorFlow's own protocol buffers and importer accept what we write, in every format."""
import pathlib
import subprocess
import sys

import common

READ = """
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
from google.protobuf import text_format
tf.disable_v2_behavior()
def read(path):
    data = open(path, "rb").read()
    if path.endswith(".meta"):
        meta = tf.MetaGraphDef(); meta.ParseFromString(data); return meta.graph_def
    graph = tf.GraphDef()
    text_format.Parse(data.decode(), graph) if path.endswith(".pbtxt") else graph.ParseFromString(data)
    return graph
for original, written in zip(sys.argv[1::2], sys.argv[2::2]):
    a, b = read(original), read(written)
    assert a.SerializeToString(deterministic=True) == b.SerializeToString(deterministic=True), (original, written)
    with tf.Graph().as_default():
        if written.endswith(".meta"):
            tf.train.import_meta_graph(written, clear_devices=True)
        else:
            tf.import_graph_def(b, name="")
"""


def main():
    common.need_tensorflow()
    # Not a graph that TensorFlow imports: names of Unicode or made for other readers.
    other = {"unicode_names.pb", "tf2_train_step.pb", "names.meta", "odd_dtypes.meta"}
    graphs = [g for g in common.graphs() if g.name not in other and g.stat().st_size < 500_000]
    assert len(graphs) == 19, [g.name for g in graphs]  # four more are larger
    words = []
    with common.temporary_folder() as name:
        for number, path in enumerate(graphs):
            for suffix in (".pb", ".pbtxt", ".meta"):
                out = pathlib.Path(name) / f"{number}{suffix}"
                common.tideline("convert", path, "-o", out, "--quiet")
                words += [path, out]
        done = subprocess.run([common.TENSORFLOW, "-c", READ, *map(str, words)], capture_output=True,
                              text=True)
        if done.returncode != 0:
            sys.exit(done.stderr[-3000:])
    print(len(words) // 2, "files read by TensorFlow")


if __name__ == "__main__":
    sys.exit(main())
