"""Write a MetaGraph whose variables a tf.compat.v1.train.Saver saves, with TensorFlow 2.15.

    make_savers.py KIND OUT.meta

KIND is plain, sharded, two or v1; see `build`. The same kind gives the same bytes.
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import tensorflow.compat.v1 as tf  # noqa: E402

tf.disable_eager_execution()

KINDS = ("plain", "sharded", "two", "v1")


def build(kind):
    """A graph of its own with variables of all kinds; returns it, and its savers.

    plain     reference and resource variables and one in two parts; one saver
    sharded   the same on two devices, saved as shards that TensorFlow merges
    two       two savers: of all, and of one variable under another name
    v1        a saver of format V1, which the rewriter refuses
    """
    graph = tf.Graph()
    with graph.as_default():
        with tf.device("/device:CPU:0"):
            tf.get_variable("reference", initializer=tf.reshape(tf.range(6.0), [2, 3]), use_resource=False)
            tf.get_variable("parts", [6, 2], initializer=tf.truncated_normal_initializer(seed=3), use_resource=False,
                            partitioner=tf.fixed_size_partitioner(2))
        with tf.device("/device:CPU:1" if kind == "sharded" else "/device:CPU:0"):
            handle = tf.get_variable("resource", initializer=tf.constant([4, -5, 6], tf.int64), use_resource=True)
            tf.get_variable("flag", initializer=True, use_resource=True)
        tf.global_variables_initializer()
        version = tf.train.SaverDef.V1 if kind == "v1" else tf.train.SaverDef.V2
        savers = [tf.train.Saver(sharded=kind == "sharded", write_version=version)]
        if kind == "two":
            savers.append(tf.train.Saver({"renamed": handle}))
            for saver in savers:
                tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    return graph, savers


def write(kind, path):
    graph, savers = build(kind)
    with graph.as_default():
        savers[0].export_meta_graph(str(path), clear_extraneous_savers=False)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2])
