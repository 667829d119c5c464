"""Makes the SavedModel `lines`, a small training step with debug information: python3 make_lines.py FOLDER, with TensorFlow 2.15.

Its tracebacks name the files as if this one lay in /home/ann, and TensorFlow where Debian puts packages.
"""
import os
import sys

import tensorflow as tf
from tensorflow.core.framework.graph_debug_info_pb2 import GraphDebugInfo


class Net(tf.Module):
    def __init__(self):
        self.kernel = tf.Variable(tf.ones([64, 256]), name="kernel")
        self.head = tf.Variable(tf.ones([256, 8]), name="head")

    def forward(self, images):
        hidden = tf.nn.relu(tf.matmul(images, self.kernel))
        return tf.matmul(tf.nn.softplus(hidden), self.head)

    @tf.function(input_signature=[tf.TensorSpec([128, 64])])
    def step(self, images):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.forward(images)))
        for variable, gradient in zip(self.trainable_variables, tape.gradient(loss, self.trainable_variables)):
            variable.assign_sub(0.1 * gradient)
        return loss


def main(folder):
    tf.saved_model.save(Net(), folder, options=tf.saved_model.SaveOptions(save_debug_info=True))
    path = os.path.join(folder, "debug", "saved_model_debug_info.pb")
    with open(path, "rb") as file:
        info = GraphDebugInfo.FromString(file.read())
    packages = os.path.dirname(os.path.dirname(tf.__file__))
    for i, name in enumerate(info.files):
        is_own = os.path.exists(name) and os.path.samefile(name, __file__)
        info.files[i] = ("/home/ann/make_lines.py" if is_own else
                         name.replace(packages, "/usr/lib/python3/dist-packages"))
    with open(path, "wb") as file:
        file.write(info.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main(sys.argv[1])
