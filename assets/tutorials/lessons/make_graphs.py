"""Makes the graphs of the lessons: a chain, a net with sums, a U-Net, and a chain for two devices.

    python3 make_graphs.py FOLDER

Sizes are such that numbers are round: with batch size 4096, a value of a chain is 32 MiB and a
weight 16 MiB. The files beside this script were made by it, with TensorFlow 2.15. All but one name
a device, as graphs from a machine with one GPU do; towers.meta names none, so that each of its
copies can be given a device.
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf  # noqa: E402

LAYERS = 8
WIDTH = 2048


def dense(x, i):
    with tf.variable_scope(f"layer{i}"):
        w = tf.get_variable("w", [int(x.shape[1]), WIDTH])
        return tf.tanh(tf.matmul(x, w), name="out")


def chain():
    x = tf.placeholder(tf.float32, [None, WIDTH], "x")
    for i in range(LAYERS):
        x = dense(x, i)
    return x


def residual():
    x = tf.placeholder(tf.float32, [None, WIDTH], "x")
    for i in range(LAYERS):
        x = tf.add(x, dense(x, i), name=f"sum{i}")
    return x


def conv(x, channels, name):
    with tf.variable_scope(name):
        kernel = tf.get_variable("k", [3, 3, int(x.shape[3]), channels])
        return tf.nn.relu(tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "SAME"), name="out")


def unet():
    x = tf.placeholder(tf.float32, [None, 64, 64, 16], "x")
    skips = []
    for i, channels in enumerate((16, 32, 64)):
        x = conv(x, channels, f"down{i}")
        skips.append(x)
        x = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", name=f"pool{i}")
    x = conv(x, 128, "bottom")
    for i, channels in reversed(list(enumerate((16, 32, 64)))):
        size = [int(x.shape[1]) * 2, int(x.shape[2]) * 2]
        x = tf.image.resize_nearest_neighbor(x, size, name=f"up{i}/resize")
        x = conv(tf.concat([x, skips[i]], 3, name=f"up{i}/join"), channels, f"up{i}")
    return x


def write(path, model, device):
    with tf.Graph().as_default() as graph, tf.device(device):
        loss = tf.reduce_mean(tf.square(model()), name="loss")
        tf.train.GradientDescentOptimizer(0.1).minimize(loss, name="train")
        tf.add_to_collection("train_op", graph.get_operation_by_name("train"))
        tf.train.export_meta_graph(path)


def main(folder):
    tf.disable_eager_execution()
    for name, model in (("chain", chain), ("residual", residual), ("unet", unet)):
        write(os.path.join(folder, name + ".meta"), model, "/device:GPU:0")
    write(os.path.join(folder, "towers.meta"), chain, None)


if __name__ == "__main__":
    main(sys.argv[1])
