#!/usr/bin/env python3
"""Write a training step whose layers are called functions: make_calls_step.py OUT.pb

Made by TensorFlow 2.15.1: nested calls, one that must not be inlined, a variable that a call updates, and the calls of
gradients.
"""
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf


class Step(tf.Module):
    def __init__(self):
        super().__init__()
        draw = tf.random.Generator.from_seed(7)
        self.weights = [tf.Variable(draw.normal((8, 8)) * 0.3, name="w%d" % i) for i in range(3)]
        self.steps = tf.Variable(0.0, trainable=False, name="steps")

    @tf.function
    def activate(self, x):
        return tf.nn.tanh(x) * tf.nn.sigmoid(x)

    @tf.function
    def layer(self, x, w):
        return self.activate(tf.matmul(x, w))

    @tf.function(experimental_attributes={"_noinline": True})
    def apart(self, x, w):
        return tf.nn.relu(tf.matmul(x, w))

    @tf.function
    def count(self):
        self.steps.assign_add(1.0)

    @tf.function(input_signature=[tf.TensorSpec((8, 8), tf.float32), tf.TensorSpec((8, 8), tf.float32)])
    def train(self, x, y):
        with tf.GradientTape() as tape:
            h = self.layer(x, self.weights[0])
            h = self.apart(h, self.weights[1])
            h = self.layer(h, self.weights[2])
            loss = tf.reduce_mean(tf.square(h - y))
        for weight, gradient in zip(self.weights, tape.gradient(loss, self.weights)):
            weight.assign_sub(0.1 * gradient)
        self.count()
        return loss


def export(concrete):
    """With the shapes behind its handles, which TensorFlow leaves out."""
    graph = concrete.graph.as_graph_def(add_shapes=True)
    nodes = {node.name: node for node in graph.node}
    for tensor in concrete.graph.inputs:
        data = getattr(tensor, "_handle_data", None)
        if tensor.dtype == tf.resource and data is not None:
            for behind in data.shape_and_type:
                nodes[tensor.op.name].attr["_handle_dtypes"].list.type.append(behind.dtype)
                nodes[tensor.op.name].attr["_handle_shapes"].list.shape.append(behind.shape)
    return graph


def main():
    step = Step()  # which holds the variables
    graph = export(step.train.get_concrete_function())
    with open(sys.argv[1], "wb") as file:
        file.write(graph.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
