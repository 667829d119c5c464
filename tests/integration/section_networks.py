"""Networks in sections, as their authors would write them for partialflow: two small ones with every kind of connection
between sections, and the residual network of its tutorial. The names are those of the graphs in tests/data/sections."""
import numpy as np
import tensorflow.compat.v1 as tf


def dense(x, units, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [x.shape[1], units], initializer=tf.truncated_normal_initializer(stddev=0.5))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
        return tf.nn.bias_add(tf.matmul(x, w), b)


def loss_of(found, y):
    return tf.reduce_mean(tf.reduce_sum(tf.square(found - y), 1), name="loss")


def vectors(queue):
    """(x, y, what to feed in a step): eight rows of 12 and 4 numbers."""
    data = [(np.random.RandomState(200 + step).randn(8, 12).astype(np.float32),
             np.random.RandomState(300 + step).randn(8, 4).astype(np.float32)) for step in range(4)]
    if queue:
        rows = [np.concatenate(part) for part in zip(*data)]
        x, y = tf.train.batch(tf.train.slice_input_producer(rows, shuffle=False), 8, name="batch")
        return x, y, lambda step: {}
    x = tf.placeholder(tf.float32, [8, 12], "x")
    y = tf.placeholder(tf.float32, [8, 4], "y")
    return x, y, lambda step: {x: data[step][0], y: data[step][1]}


def mlp3(manager, queue=False):
    """Three sections; the last reads the first and the input too, and an op lies between two of them."""
    x, y, feed = vectors(queue)
    with manager.new_section():
        first = tf.tanh(dense(x, 16, "l0"))
    between = tf.multiply(first, 0.5, name="between")
    with manager.new_section():
        hidden = tf.nn.relu(dense(first, 16, "l1") + between)
        second = tf.tanh(dense(hidden, 10, "l2"))
    with manager.new_section():
        third = tf.tanh(dense(tf.concat([second, x], 1), 8, "l3"))
        loss = loss_of(dense(tf.concat([third, first], 1), 4, "l4"), y)
    tf.add(tf.reduce_sum(first), tf.reduce_sum(second), name="outside_two")
    tf.reduce_sum(x, name="outside_none")
    return loss, feed


def merge4(manager, has_variables=True):
    """Four sections; one weight is shared, three gradients meet at a border, and the third section may have no variables."""
    x, y, feed = vectors(False)
    with manager.new_section():
        hidden = tf.tanh(dense(x, 16, "l0"))
        with tf.variable_scope("shared"):
            shared = tf.get_variable("w", [16, 16], initializer=tf.truncated_normal_initializer(stddev=0.5))
        first = tf.tanh(tf.matmul(hidden, shared), name="out0")
    middle = tf.multiply(first, 0.5, name="mid")
    with manager.new_section():
        found = tf.nn.relu(dense(middle, 16, "l1")) + tf.sin(middle)
        found = tf.identity(found + tf.matmul(middle, shared), name="out1")
    with manager.new_section():
        found = tf.add_n([tf.sin(found), tf.cos(found), tf.tanh(found)], name="sum2")
        found = tf.identity(dense(found, 16, "l2") if has_variables else found, name="out2")
    with manager.new_section():
        loss = loss_of(dense(tf.concat([found, tf.square(found)], 1), 4, "l3"), y)
    return loss, feed


class ResidualNetwork(object):
    """A wide residual network whose batch normalisation follows a flag."""

    def __init__(self, is_training):
        self._is_training = is_training

    def convolve(self, x, filters, size=3, stride=1):
        with tf.variable_scope("conv"):
            kernel = tf.get_variable("kernel", [size, size, x.shape[-1], filters],
                                     initializer=tf.truncated_normal_initializer(stddev=0.1))
            return tf.nn.conv2d(x, kernel, [1, stride, stride, 1], "SAME")

    def normalize(self, x):
        with tf.variable_scope("batchnorm"), tf.variable_scope("BatchNorm"):
            shape = [x.shape[-1]]
            beta = tf.get_variable("beta", shape, initializer=tf.zeros_initializer())
            gamma = tf.get_variable("gamma", shape, initializer=tf.ones_initializer())
            means = tf.get_variable("moving_mean", shape, initializer=tf.zeros_initializer(), trainable=False)
            variances = tf.get_variable("moving_variance", shape, initializer=tf.ones_initializer(), trainable=False)
            mean, variance = tf.nn.moments(x, [0, 1, 2])
            for moving, value in ((means, mean), (variances, variance)):
                update = tf.cond(self._is_training, lambda: tf.assign_sub(moving, 0.1 * (moving - value)),
                                 lambda: tf.identity(moving))
                tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
            mean, variance = tf.cond(self._is_training, lambda: (tf.identity(mean), tf.identity(variance)),
                                     lambda: (tf.identity(means), tf.identity(variances)))
            return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 0.001)

    def block(self, x, factor=1):
        """`factor`: of filters, and by it the pictures get smaller."""
        filters = int(x.shape[-1]) * factor
        if factor > 1:
            with tf.variable_scope("common_bn"):
                x = tf.nn.relu(self.normalize(x))
            with tf.variable_scope("res_conv1"):
                found = self.convolve(x, filters, stride=factor)
            with tf.variable_scope("proj_conv"):
                x = self.convolve(x, filters, size=1, stride=factor)
        else:
            with tf.variable_scope("res_conv1"):
                found = self.convolve(tf.nn.relu(self.normalize(x)), filters)
        with tf.variable_scope("res_conv2"):
            found = self.convolve(tf.nn.relu(self.normalize(found)), filters)
        return found + x


def pictures(queue, batch=16):
    def of_step(step):
        random = np.random.RandomState(100 + step)
        images = random.rand(batch, 28, 28, 1).astype(np.float32)
        return images, np.eye(10, dtype=np.float32)[random.randint(0, 10, batch)]

    if queue:
        rows = [np.concatenate(part) for part in zip(*map(of_step, range(3)))]
        images, labels = tf.train.batch(tf.train.slice_input_producer(rows, shuffle=False), batch, name="batch")
        return images, labels, lambda step: {}
    images = tf.placeholder(tf.float32, [batch, 28, 28, 1], "images")
    labels = tf.placeholder(tf.float32, [batch, 10], "labels")
    return images, labels, lambda step: dict(zip((images, labels), of_step(step)))


def resnet(manager, queue=False):
    """The four sections of partialflow's tutorial, 9 blocks."""
    images, labels, feed = pictures(queue)
    is_training = tf.placeholder(tf.bool, [], "is_training")
    net = ResidualNetwork(is_training)
    with manager.new_section():
        with tf.variable_scope("initial_conv"):
            found = tf.nn.relu(net.normalize(net.convolve(images, 16)))
        with tf.variable_scope("scale0"):
            found = blocks(net, found, 3)
    with manager.new_section():
        with tf.variable_scope("scale1"):
            found = blocks(net, net.block(found, 2), 2)
    with manager.new_section():
        with tf.variable_scope("scale2"):
            found = blocks(net, net.block(found, 2), 4)
    with manager.new_section():
        with tf.variable_scope("final_pool"):
            found = tf.reduce_mean(tf.reduce_mean(found, axis=2), axis=1)
            with tf.variable_scope("fc"):
                w = tf.get_variable("W", [found.shape[-1], 10], initializer=tf.truncated_normal_initializer(stddev=0.1))
                b = tf.get_variable("b", [10], initializer=tf.zeros_initializer())
                found = tf.nn.xw_plus_b(found, w, b)
        with tf.variable_scope("loss"):
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=found, labels=labels))
    return loss, lambda step: {**feed(step), is_training: True}


def blocks(net, found, count):
    for number in range(count):
        with tf.variable_scope("block_{}".format(number)):
            found = net.block(found)
    return found
