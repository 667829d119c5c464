"""Training graphs of TensorFlow 1's kind whose steps as_run_steps.py measures, in two batch sizes each.

Each builder takes the batch size and returns ({placeholder: array to feed}, what trains). Placeholders have an unknown
batch as users' graphs do. Activations outweigh the parameters at the larger size: small steps hide errors.
"""
import numpy as np
import tensorflow.compat.v1 as tf

KINDS = {}  # name -> (builder, batch sizes)
random = np.random.RandomState(7)


def kind(*batches):
    def remember(build):
        KINDS[build.__name__] = (build, batches)
        return build
    return remember


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


def pictures(batch, side, channels, classes=10):
    """Placeholders of pictures and their classes, and what is fed."""
    x = tf.placeholder(tf.float32, [None, side, side, channels], "x")
    y = tf.placeholder(tf.int64, [None], "y")
    return x, y, {x: floats(batch, side, side, channels), y: random.randint(0, classes, batch)}


def sequences(batch, length, words):
    x = tf.placeholder(tf.int32, [None, length], "tokens")
    return x, {x: random.randint(0, words, (batch, length))}


def weights(name, *shape):
    return tf.get_variable(name, shape, initializer=tf.glorot_uniform_initializer())


def biases(name, *shape):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer())


def dense(x, units, name, activation=None):
    """A layer on the last axis."""
    with tf.variable_scope(name):
        width = int(x.shape[-1])
        flat = x if x.shape.rank == 2 else tf.reshape(x, [-1, width])
        found = tf.nn.bias_add(tf.matmul(flat, weights("kernel", width, units)), biases("bias", units))
        if x.shape.rank == 3:
            found = tf.reshape(found, [-1, int(x.shape[1]), units])
        return activation(found) if activation else found


def conv(x, filters, name, size=3, stride=1, activation=None, bias=True):
    with tf.variable_scope(name):
        kernel = weights("kernel", size, size, int(x.shape[-1]), filters)
        found = tf.nn.conv2d(x, kernel, [1, stride, stride, 1], "SAME")
        if bias:
            found = tf.nn.bias_add(found, biases("bias", filters))
        return activation(found) if activation else found


def batch_norm(x, name):
    with tf.variable_scope(name):
        shape = [int(x.shape[-1])]
        gamma = tf.get_variable("gamma", shape, initializer=tf.ones_initializer())
        found, mean, variance = tf.nn.fused_batch_norm(x, gamma, biases("beta", *shape))
        for moving, value in (("mean", mean), ("variance", variance)):
            kept = tf.get_variable(moving, shape, initializer=tf.zeros_initializer(), trainable=False)
            tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_sub(kept, 0.1 * (kept - value)))
        return found


def layer_norm(x, name):
    with tf.variable_scope(name):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        gamma = tf.get_variable("gamma", [int(x.shape[-1])], initializer=tf.ones_initializer())
        return (x - mean) * tf.rsqrt(variance + 1e-6) * gamma + biases("beta", int(x.shape[-1]))


def classes_loss(logits, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))


def trained(loss, optimizer=None, name="train"):
    """Minimises after the updates of the batch norms, as the tutorials write it."""
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        step = tf.train.get_or_create_global_step()
        return (optimizer or tf.train.AdamOptimizer(1e-3)).minimize(loss, step, name=name)


# Pictures

@kind(8, 64)
def small_resnet(batch):
    """Batch norm, shortcuts, weight decay, momentum."""
    x, y, feeds = pictures(batch, 32, 3)
    h = tf.nn.relu(batch_norm(conv(x, 32, "c0", bias=False), "n0"))
    for block, (filters, stride) in enumerate([(32, 1), (64, 2), (64, 1), (128, 2)]):
        with tf.variable_scope(f"block{block}"):
            found = tf.nn.relu(batch_norm(conv(h, filters, "a", 3, stride, bias=False), "na"))
            found = batch_norm(conv(found, filters, "b", bias=False), "nb")
            if stride > 1:
                h = batch_norm(conv(h, filters, "shortcut", 1, stride, bias=False), "ns")
            h = tf.nn.relu(found + h)
    loss = classes_loss(dense(tf.reduce_mean(h, [1, 2]), 10, "logits"), y)
    decay = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "kernel" in v.name])
    return feeds, trained(loss + 1e-4 * decay, tf.train.MomentumOptimizer(0.1, 0.9))


@kind(2, 24)
def u_net(batch):
    """Long skips, transposed convolutions, dice loss."""
    x = tf.placeholder(tf.float32, [None, 96, 96, 3], "x")
    mask = tf.placeholder(tf.float32, [None, 96, 96, 1], "mask")
    skips, h = [], x
    for level, filters in enumerate([16, 32, 64]):
        h = conv(h, filters, f"down{level}a", activation=tf.nn.relu)
        h = conv(h, filters, f"down{level}b", activation=tf.nn.relu)
        skips.append(h)
        h = tf.nn.max_pool2d(h, 2, 2, "SAME")
    h = conv(h, 128, "middle", activation=tf.nn.relu)
    for level, filters in reversed(list(enumerate([16, 32, 64]))):
        skip = skips[level]
        shape = tf.stack([tf.shape(x)[0], int(skip.shape[1]), int(skip.shape[2]), filters])
        h = tf.nn.conv2d_transpose(h, weights(f"up{level}", 2, 2, filters, int(h.shape[-1])), shape, 2)
        h = tf.concat([h, skip], 3)
        h = conv(h, filters, f"up{level}a", activation=tf.nn.relu)
        h = conv(h, filters, f"up{level}b", activation=tf.nn.relu)
    found = tf.sigmoid(conv(h, 1, "logits", 1))
    both = tf.reduce_sum(found * mask, [1, 2, 3])
    each = tf.reduce_sum(found, [1, 2, 3]) + tf.reduce_sum(mask, [1, 2, 3])
    loss = 1 - tf.reduce_mean((2 * both + 1) / (each + 1))
    return {x: floats(batch, 96, 96, 3), mask: (floats(batch, 96, 96, 1) > 0).astype(np.float32)}, trained(loss)


@kind(8, 32)
def dense_net(batch):
    """Every layer reads the concatenation of all before it; Nesterov's momentum."""
    x, y, feeds = pictures(batch, 32, 3)
    h = conv(x, 24, "c0", bias=False)
    for block in range(2):
        for layer in range(4):
            found = tf.nn.relu(batch_norm(h, f"n{block}{layer}"))
            h = tf.concat([h, conv(found, 12, f"c{block}{layer}", bias=False)], 3)
        h = conv(tf.nn.relu(batch_norm(h, f"t{block}")), 32, f"tc{block}", 1, bias=False)
        h = tf.nn.avg_pool2d(h, 2, 2, "VALID")
    loss = classes_loss(dense(tf.reduce_mean(h, [1, 2]), 10, "logits"), y)
    decay = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
    return feeds, trained(loss + 1e-4 * decay, tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True))


@kind(32, 256)
def auto_encoder(batch):
    """A VAE with random numbers in the step."""
    x = tf.placeholder(tf.float32, [None, 28, 28, 1], "x")
    h = conv(conv(x, 16, "e0", 3, 2, tf.nn.relu), 32, "e1", 3, 2, tf.nn.relu)
    h = tf.reshape(h, [-1, 7 * 7 * 32])
    mean, log_variance = dense(h, 32, "mean"), dense(h, 32, "log_variance")
    z = mean + tf.exp(0.5 * log_variance) * tf.random_normal(tf.shape(mean))
    h = tf.reshape(dense(z, 7 * 7 * 32, "d0", tf.nn.relu), [-1, 7, 7, 32])
    h = conv(tf.image.resize_nearest_neighbor(h, [14, 14]), 32, "d1", activation=tf.nn.relu)
    h = conv(tf.image.resize_nearest_neighbor(h, [28, 28]), 16, "d2", activation=tf.nn.relu)
    found = conv(h, 1, "d3")
    near = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=found), [1, 2, 3])
    spread = -0.5 * tf.reduce_sum(1 + log_variance - tf.square(mean) - tf.exp(log_variance), 1)
    return {x: random.rand(batch, 28, 28, 1).astype(np.float32)}, trained(tf.reduce_mean(near + spread))


@kind(16, 384)
def adversarial(batch):
    """A GAN: two losses, two optimizers, one step."""
    x = tf.placeholder(tf.float32, [None, 32, 32, 3], "x")
    noise = tf.random_uniform([tf.shape(x)[0], 64], -1, 1)
    with tf.variable_scope("generator"):
        h = tf.reshape(dense(noise, 8 * 8 * 64, "g0", tf.nn.relu), [-1, 8, 8, 64])
        for layer, (filters, side) in enumerate([(32, 16), (3, 32)]):
            shape = tf.stack([tf.shape(x)[0], side, side, filters])
            h = tf.nn.conv2d_transpose(h, weights(f"g{layer + 1}", 4, 4, filters, int(h.shape[-1])), shape, 2)
            h = tf.nn.relu(h) if layer == 0 else tf.tanh(h)
        made = tf.reshape(h, [-1, 32, 32, 3])

    def judged(found):
        with tf.variable_scope("judge", reuse=tf.AUTO_REUSE):
            for layer, filters in enumerate([32, 64]):
                found = tf.nn.leaky_relu(conv(found, filters, f"c{layer}", 4, 2))
            return dense(tf.reshape(found, [-1, 8 * 8 * 64]), 1, "logits")

    real, fake = judged(x), judged(made)
    loss = tf.nn.sigmoid_cross_entropy_with_logits
    judge = tf.reduce_mean(loss(labels=tf.ones_like(real), logits=real) +
                           loss(labels=tf.zeros_like(fake), logits=fake))
    fool = tf.reduce_mean(loss(labels=tf.ones_like(fake), logits=fake))
    steps = [tf.train.AdamOptimizer(2e-4, 0.5).minimize(value, var_list=tf.trainable_variables(scope),
                                                        name=f"train_{scope}")
             for value, scope in ((judge, "judge"), (fool, "generator"))]
    return {x: floats(batch, 32, 32, 3)}, tf.group(*steps, name="train")


def conditional(batch, takes):
    """A conditional of TensorFlow 1 with two heavy branches, on a predicate that is fed."""
    x, y, feeds = pictures(batch, 32, 3)
    first = tf.placeholder(tf.bool, [], "first")
    h = conv(x, 16, "c0", activation=tf.nn.relu)
    h = tf.cond(first,
                lambda: conv(conv(h, 32, "a0", activation=tf.nn.relu), 16, "a1", activation=tf.nn.relu),
                lambda: conv(h, 16, "b0", activation=tf.nn.relu))
    h = tf.nn.max_pool2d(h, 2, 2, "SAME")
    loss = classes_loss(dense(tf.reshape(h, [-1, 16 * 16 * 16]), 10, "logits"), y)
    return {**feeds, first: takes}, trained(loss, tf.train.MomentumOptimizer(0.1, 0.9))


@kind(32, 256)
def branches(batch):
    """The larger branch of a conditional runs."""
    return conditional(batch, True)


@kind(32, 256)
def smaller_branch(batch):
    return conditional(batch, False)


@kind(16, 1024)
def half_precision(batch):
    """bfloat16 in the middle, a static loss scale, updates only where all gradients are finite."""
    x, y, feeds = pictures(batch, 32, 3)
    scale = 128.0

    def half(variable):
        return tf.cast(variable, tf.bfloat16)

    h = half(x)
    for layer, filters in enumerate([16, 32]):
        kernel = half(weights(f"k{layer}", 3, 3, int(h.shape[-1]), filters))
        h = tf.nn.relu(tf.nn.conv2d(h, kernel, 1, "SAME") + half(biases(f"b{layer}", filters)))
        h = tf.nn.max_pool2d(h, 2, 2, "SAME")
    logits = tf.matmul(tf.reshape(h, [-1, 8 * 8 * 32]), half(weights("logits", 8 * 8 * 32, 10)))
    loss = classes_loss(tf.cast(logits, tf.float32), y)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    found = [(gradient / scale, v) for gradient, v in optimizer.compute_gradients(loss * scale)]
    finite = tf.reduce_all([tf.reduce_all(tf.is_finite(gradient)) for gradient, _ in found])
    kept = [(tf.where(finite, gradient, tf.zeros_like(gradient)), v) for gradient, v in found]
    return feeds, optimizer.apply_gradients(kept, name="train")


@kind(16, 128)
def keras_pictures(batch):
    """Keras with its learning phase and dropout, resource variables."""
    keras = tf.keras
    x, y, feeds = pictures(batch, 32, 3)
    keras.backend.set_learning_phase(1)
    h = x
    for filters in (32, 64):
        h = keras.layers.Conv2D(filters, 3, padding="same")(h)
        h = keras.layers.BatchNormalization()(h, training=True)
        h = keras.layers.Activation("relu")(h)
        h = keras.layers.MaxPooling2D()(h)
        h = keras.layers.Dropout(0.25)(h, training=True)
    h = keras.layers.Dense(128, activation="relu")(keras.layers.Flatten()(h))
    logits = keras.layers.Dense(10)(keras.layers.Dropout(0.5)(h, training=True))
    return feeds, trained(classes_loss(logits, y))


@kind(16, 128)
def resource_resnet(batch):
    """Resource variables, an exponential moving average of all of them, clipped gradients."""
    with tf.variable_scope("", use_resource=True):
        x, y, feeds = pictures(batch, 32, 3)
        h = tf.nn.relu(batch_norm(conv(x, 24, "c0", bias=False), "n0"))
        for block in range(3):
            found = tf.nn.elu(batch_norm(conv(h, 24, f"a{block}", bias=False), f"n{block + 1}"))
            h = h + conv(found, 24, f"b{block}")
        loss = classes_loss(dense(tf.reduce_mean(h, [1, 2]), 10, "logits"), y)
        optimizer = tf.train.RMSPropOptimizer(1e-3)
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        clipped, _ = tf.clip_by_global_norm(gradients, 1.0)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            applied = optimizer.apply_gradients(zip(clipped, variables))
        with tf.control_dependencies([applied]):
            average = tf.train.ExponentialMovingAverage(0.99).apply(tf.trainable_variables())
        return feeds, tf.group(average, name="train")


@kind(16, 96)
def estimator_model(batch):
    """What an Estimator's model_fn builds: global step, decaying rate, summaries, metrics and a train op."""
    x, y, feeds = pictures(batch, 32, 3)
    step = tf.train.get_or_create_global_step()
    h = tf.layers.conv2d(x, 32, 5, padding="same", activation=tf.nn.relu)
    h = tf.layers.max_pooling2d(h, 2, 2)
    h = tf.layers.conv2d(h, 64, 5, padding="same", activation=tf.nn.relu)
    h = tf.layers.flatten(tf.layers.max_pooling2d(h, 2, 2))
    h = tf.layers.dropout(tf.layers.dense(h, 256, activation=tf.nn.relu), 0.4, training=True)
    logits = tf.layers.dense(h, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    tf.summary.scalar("loss", loss)
    _, accuracy = tf.metrics.accuracy(y, tf.argmax(logits, 1))
    tf.summary.histogram("logits", logits)
    rate = tf.train.exponential_decay(0.01, step, 1000, 0.9)
    applied = tf.train.AdagradOptimizer(rate).minimize(tf.losses.get_total_loss(), step)
    return feeds, tf.group(applied, accuracy, tf.summary.merge_all(), name="train")
