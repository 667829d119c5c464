"""More of as_run_models.py: sequences, words, tables and plain layers."""
import numpy as np
import tensorflow.compat.v1 as tf

from as_run_models import (classes_loss, dense, floats, kind, layer_norm, random, sequences, trained, weights)


def attention(x, memory, heads, name, mask=None):
    """Many-headed attention of x to memory."""
    with tf.variable_scope(name):
        width = int(x.shape[-1])

        def split(found):
            found = tf.reshape(found, [-1, int(found.shape[1]), heads, width // heads])
            return tf.transpose(found, [0, 2, 1, 3])

        q, k, v = (split(dense(source, width, part)) for part, source in (("q", x), ("k", memory), ("v", memory)))
        scores = tf.matmul(q, k, transpose_b=True) / (width // heads) ** 0.5
        if mask is not None:
            scores += mask
        found = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
        return dense(tf.reshape(found, [-1, int(x.shape[1]), width]), width, "out")


def clipped(loss, optimizer):
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    found, _ = tf.clip_by_global_norm(gradients, 1.0)
    return optimizer.apply_gradients(zip(found, variables), tf.train.get_or_create_global_step(), name="train")


@kind(4, 64)
def encoder(batch):
    """A transformer's encoder that predicts words; clipped by the global norm."""
    x, feeds = sequences(batch, 64, 1000)
    table = weights("table", 1000, 128)
    h = tf.nn.embedding_lookup(table, x) + weights("places", 64, 128)
    for layer in range(3):
        with tf.variable_scope(f"layer{layer}"):
            h = layer_norm(h + tf.nn.dropout(attention(h, h, 4, "attention"), rate=0.1), "n0")
            found = dense(dense(h, 512, "wide", tf.nn.relu), 128, "narrow")
            h = layer_norm(h + tf.nn.dropout(found, rate=0.1), "n1")
    logits = tf.matmul(tf.reshape(h, [-1, 128]), table, transpose_b=True)
    return feeds, clipped(classes_loss(logits, tf.reshape(x, [-1])), tf.train.AdamOptimizer(1e-3))


@kind(4, 64)
def keras_bert(batch):
    """BERT's layers by Keras: layer norm, gelu, attention masks."""
    keras = tf.keras
    x, feeds = sequences(batch, 64, 1000)
    mask = tf.placeholder(tf.int32, [None, 64], "mask")
    y = tf.placeholder(tf.int64, [None], "y")
    h = keras.layers.Embedding(1000, 128)(x)
    h = keras.layers.LayerNormalization(epsilon=1e-12)(h)
    away = (1.0 - tf.cast(mask[:, None, None, :], tf.float32)) * -10000.0

    def gelu(found):
        return 0.5 * found * (1.0 + tf.erf(found / np.sqrt(2.0).astype(np.float32)))

    def split(found):
        return tf.transpose(tf.reshape(found, [-1, 64, 4, 32]), [0, 2, 1, 3])

    for _ in range(2):
        q, k, v = (split(keras.layers.Dense(128)(h)) for _ in range(3))
        scores = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * (1 / 32 ** 0.5) + away)
        found = tf.matmul(keras.layers.Dropout(0.1)(scores, training=True), v)
        found = keras.layers.Dense(128)(tf.reshape(tf.transpose(found, [0, 2, 1, 3]), [-1, 64, 128]))
        h = keras.layers.LayerNormalization(epsilon=1e-12)(h + keras.layers.Dropout(0.1)(found, training=True))
        found = keras.layers.Dense(128)(gelu(keras.layers.Dense(512)(h)))
        h = keras.layers.LayerNormalization(epsilon=1e-12)(h + keras.layers.Dropout(0.1)(found, training=True))
    logits = keras.layers.Dense(2)(keras.layers.Dense(128, activation="tanh")(h[:, 0]))
    feeds.update({mask: np.ones((batch, 64)), y: random.randint(0, 2, batch)})
    return feeds, trained(classes_loss(logits, y))


@kind(16, 512)
def dynamic_lstm(batch):
    x, feeds = sequences(batch, 40, 1000)
    y = tf.placeholder(tf.int64, [None], "y")
    h = tf.nn.embedding_lookup(weights("table", 1000, 64), x)
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(128), h, dtype=tf.float32)
    feeds[y] = random.randint(0, 5, batch)
    return feeds, clipped(classes_loss(dense(outputs[:, -1], 5, "logits"), y), tf.train.AdamOptimizer(1e-3))


@kind(32, 256)
def two_gru(batch):
    """Two layers of GRU over series."""
    x = tf.placeholder(tf.float32, [None, 30, 32], "x")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(96) for _ in range(2)])
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(dense(outputs[:, -1], 1, "out") - y))
    return {x: floats(batch, 30, 32), y: floats(batch, 1)}, trained(loss)


@kind(32, 128)
def keras_lstm(batch):
    x = tf.placeholder(tf.float32, [None, 30, 32], "x")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    h = tf.keras.layers.LSTM(64, return_sequences=True)(x)
    found = tf.keras.layers.Dense(1)(tf.keras.layers.LSTM(64)(h))
    return {x: floats(batch, 30, 32), y: floats(batch, 1)}, trained(tf.reduce_mean(tf.square(found - y)))


@kind(16, 512)
def translation(batch):
    """Sequence to sequence: two loops, and attention from the second's outputs to the first's."""
    x, feeds = sequences(batch, 24, 800)
    y = tf.placeholder(tf.int32, [None, 20], "target")
    table = weights("table", 800, 64)
    with tf.variable_scope("read"):
        words = tf.nn.embedding_lookup(table, x)
        memory, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(96), words, dtype=tf.float32)
    with tf.variable_scope("write"):
        words = tf.nn.embedding_lookup(table, y)
        found, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(96), words, initial_state=state)
    scores = tf.nn.softmax(tf.matmul(found, memory, transpose_b=True))
    h = dense(tf.concat([found, tf.matmul(scores, memory)], 2), 96, "mix", tf.tanh)
    logits = tf.reshape(dense(h, 800, "logits"), [-1, 800])
    feeds[y] = random.randint(0, 800, (batch, 20))
    return feeds, clipped(classes_loss(logits, tf.reshape(y, [-1])), tf.train.AdamOptimizer(1e-3))


def ratings(batch, optimizer):
    users = tf.placeholder(tf.int64, [None], "users")
    items = tf.placeholder(tf.int64, [None, 50], "items")
    y = tf.placeholder(tf.float32, [None], "y")
    user = tf.nn.embedding_lookup(weights("users_table", 20000, 64), users)
    item = tf.reduce_mean(tf.nn.embedding_lookup(weights("items_table", 5000, 64), items), 1)
    h = dense(dense(tf.concat([user, item], 1), 256, "d0", tf.nn.relu), 128, "d1", tf.nn.relu)
    found = tf.squeeze(dense(h, 1, "out"), 1)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=found))
    feeds = {users: random.randint(0, 20000, batch), items: random.randint(0, 5000, (batch, 50)),
             y: random.randint(0, 2, batch)}
    return feeds, trained(loss, optimizer)


@kind(256, 4096)
def embedding_sgd(batch):
    """Sparse gradients, scattered into the tables."""
    return ratings(batch, tf.train.GradientDescentOptimizer(0.1))


@kind(256, 4096)
def embedding_adam(batch):
    """Sparse gradients that Adam applies: duplicates are summed, and slots of whole tables change."""
    return ratings(batch, tf.train.AdamOptimizer(1e-3))


@kind(256, 8192)
def layers(batch):
    """A perceptron with the moving average of its variables."""
    x = tf.placeholder(tf.float32, [None, 256], "x")
    y = tf.placeholder(tf.int64, [None], "y")
    h = x
    for layer in range(4):
        h = dense(h, 512, f"d{layer}", (tf.nn.relu, tf.nn.sigmoid, tf.tanh, tf.nn.softplus)[layer])
    applied = trained(classes_loss(dense(h, 10, "logits"), y))
    with tf.control_dependencies([applied]):
        average = tf.train.ExponentialMovingAverage(0.999).apply(tf.trainable_variables())
    return {x: floats(batch, 256), y: random.randint(0, 10, batch)}, tf.group(average, name="all")
