#!/usr/bin/env python3
"""Make SavedModels that train: make_train_step.py OUT_DIR [--kind KIND] [--filters N] [--seed N]

train_step    a small convolutional network. The body of its function `train_step` holds the forward phase,
              the gradients and the ResourceApply ops; optimizer slots are variables; an asset and a
              string constant are used by the signatures `classes` and `predict`.
control_flow  the same with a loop and a conditional in the forward phase, so also in the gradients.
two_graphs    two MetaGraphs as TensorFlow 1 wrote them: tags `train` and `serve,small`, collections,
              signatures, reference variables, an asset.

Every number comes from --seed, so two runs of the same TensorFlow write the same model.
Needs TensorFlow 2.15.
"""
import argparse
import os
import pathlib
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
import numpy as np
import tensorflow as tf

CLASSES = ["ebb", "flood", "slack", "spring"]
PIXELS = 8


def class_file():
    path = pathlib.Path("classes.txt")
    path.write_text("\n".join(CLASSES) + "\n", encoding="utf-8")
    return str(path)


def adam(variable, slots, powers, gradient):
    tf.raw_ops.ResourceApplyAdam(
        var=variable.handle, m=slots[0].handle, v=slots[1].handle, beta1_power=powers[0],
        beta2_power=powers[1], lr=0.01, beta1=0.9, beta2=0.999, epsilon=1e-7, grad=gradient)


def momentum(variable, slot, gradient):
    tf.raw_ops.ResourceApplyMomentum(var=variable.handle, accum=slot.handle, lr=0.05, grad=gradient,
                                     momentum=0.9)


class Network(tf.Module):
    """Two convolutions with Adam, one dense layer with momentum."""

    def __init__(self, filters, seed, asset):
        super().__init__(name="network")
        random = np.random.default_rng(seed)

        def variable(name, *shape):
            value = random.standard_normal(shape).astype(np.float32) * np.float32(0.3)
            return tf.Variable(value, name=name)

        self.kernels = [variable("kernel_1", 3, 3, 1, filters), variable("kernel_2", 3, 3, filters, filters)]
        self.dense = variable("dense", (PIXELS // 4) ** 2 * filters, len(CLASSES))
        self.bias = variable("bias", len(CLASSES))
        self.adam_slots = [[tf.Variable(tf.zeros_like(k), trainable=False, name=f"{name}_{i}")
                            for name in ("m", "v")] for i, k in enumerate(self.kernels)]
        self.momentum_slots = [tf.Variable(tf.zeros_like(v), trainable=False, name=f"accumulator_{i}")
                               for i, v in enumerate((self.dense, self.bias))]
        self.powers = [tf.Variable(b, trainable=False, name="beta_power") for b in (0.9, 0.999)]
        self.asset = tf.saved_model.Asset(asset)

    def forward(self, images):
        x = images
        for kernel in self.kernels:
            x = tf.nn.relu(tf.nn.conv2d(x, kernel, strides=1, padding="SAME"))
            x = tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")
        return self.scores(x)

    def scores(self, x):
        return tf.matmul(tf.reshape(x, [-1, self.dense.shape[0]]), self.dense) + self.bias

    @tf.function(input_signature=[tf.TensorSpec([None, PIXELS, PIXELS, 1], tf.float32, name="images"),
                                  tf.TensorSpec([None], tf.int64, name="labels")])
    def train_step(self, images, labels):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, self.forward(images))
            loss = tf.reduce_mean(losses)
        others = [self.dense, self.bias]
        gradients = tape.gradient(loss, self.kernels + others)
        powers = [power.read_value() for power in self.powers]
        for variable, slots, gradient in zip(self.kernels, self.adam_slots, gradients):
            adam(variable, slots, powers, gradient)
        for variable, slot, gradient in zip(others, self.momentum_slots, gradients[len(self.kernels):]):
            momentum(variable, slot, gradient)
        for power, read, beta in zip(self.powers, powers, (0.9, 0.999)):
            power.assign(read * beta)
        return {"loss": loss}

    @tf.function(input_signature=[tf.TensorSpec([None, PIXELS, PIXELS, 1], tf.float32, name="images")])
    def predict(self, images):
        scores = self.forward(images)
        return {"scores": scores, "classes": tf.gather(tf.constant(CLASSES), tf.argmax(scores, axis=1))}

    @tf.function(input_signature=[])
    def classes(self):
        return {"classes": tf.strings.split(tf.io.read_file(self.asset.asset_path), "\n")}


class LoopNetwork(Network):
    """The second convolution is repeated by a loop; a conditional chooses what follows."""

    def forward(self, images):
        x = tf.nn.relu(tf.nn.conv2d(images, self.kernels[0], strides=4, padding="SAME"))
        kernel = self.kernels[1].read_value()

        def body(i, y):
            return i + 1, tf.nn.relu(tf.nn.conv2d(y, kernel, strides=1, padding="SAME")) + 0.1 * y

        # Not "while": the rules of LMS leave ops with "while/" in their names alone.
        _, x = tf.while_loop(lambda i, y: i < 3, body, [tf.constant(0), x], maximum_iterations=4, name="repeat")
        x = tf.cond(tf.reduce_mean(x) > 0.0, lambda: tf.tanh(x) * 2.0, lambda: x - 1.0)
        return self.scores(x)


def save_network(out, network):
    tf.saved_model.save(network, out, signatures={
        "train": network.train_step, "serving_default": network.predict, "classes": network.classes})


def save_two_graphs(out, seed, asset):
    tf1 = tf.compat.v1
    builder = tf1.saved_model.Builder(out)
    for first, tags in ((True, ["train"]), (False, ["serve", "small"])):
        with tf.Graph().as_default(), tf1.Session() as session:
            random = np.random.default_rng(seed)
            x = tf1.placeholder(tf.float32, [None, 4, 4, 1], name="x")
            kernel = tf1.get_variable("kernel", use_resource=False, initializer=random.standard_normal(
                (3, 3, 1, 4)).astype(np.float32))
            y = tf.nn.relu(tf.nn.conv2d(x, kernel, strides=1, padding="SAME", name="conv"), name="y")
            names = tf.constant(asset, name="class_file")
            tf1.add_to_collection(tf1.GraphKeys.ASSET_FILEPATHS, names)
            outputs = {"y": y}
            if first:
                outputs["loss"] = tf.reduce_mean(y * y, name="loss")
                train = tf1.train.MomentumOptimizer(0.1, 0.9).minimize(outputs["loss"], name="train")
                tf1.add_to_collection("train_op", train)
            session.run(tf1.global_variables_initializer())
            signature = tf1.saved_model.predict_signature_def(inputs={"x": x}, outputs=outputs)
            key = "train" if first else "serving_default"
            add = builder.add_meta_graph_and_variables if first else builder.add_meta_graph
            add(*([session] if first else []), tags, signature_def_map={key: signature},
                assets_collection=tf1.get_collection(tf1.GraphKeys.ASSET_FILEPATHS))
    builder.save()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--kind", choices=["train_step", "control_flow", "two_graphs"], default="train_step")
    parser.add_argument("--filters", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    out = str(pathlib.Path(a.out).resolve())
    with tempfile.TemporaryDirectory() as folder:
        # The path of the asset becomes part of a TensorFlow 1 graph; without a folder it is always the same.
        os.chdir(folder)
        asset = class_file()
        if a.kind == "two_graphs":
            save_two_graphs(out, a.seed, asset)
        else:
            kind = Network if a.kind == "train_step" else LoopNetwork
            save_network(out, kind(a.filters, a.seed, asset))
        os.chdir(out)


if __name__ == "__main__":
    main()
