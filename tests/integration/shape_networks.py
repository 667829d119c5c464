"""Networks that are trained, for shape_models.py."""
from shape_building import mean_of, model, np, tf, train, weights


@model
def dense_layers():
    x = tf.placeholder(tf.float32, [None, 20])
    y = tf.placeholder(tf.int32, [None])
    h = x
    for units, act in ((30, tf.nn.relu), (30, tf.nn.elu), (16, tf.nn.selu), (16, tf.tanh),
                       (12, tf.nn.softplus), (8, tf.nn.relu6), (8, tf.nn.leaky_relu)):
        h = act(h @ weights(h.shape[-1], units) + tf.Variable(tf.zeros([units])))
    logits = tf.nn.bias_add(h @ weights(8, 5), tf.Variable(tf.zeros([5])))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train(loss, tf.train.MomentumOptimizer(0.1, 0.9))
    tf.reduce_mean(tf.cast(tf.nn.in_top_k(logits, y, 2), tf.float32))


@model
def optimizers():
    x = tf.placeholder(tf.float32, [None, 6])
    for resource in (False, True):
        for optimizer in (tf.train.GradientDescentOptimizer(0.1), tf.train.AdagradOptimizer(0.1),
                          tf.train.AdadeltaOptimizer(), tf.train.RMSPropOptimizer(0.1),
                          tf.train.RMSPropOptimizer(0.1, centered=True), tf.train.FtrlOptimizer(0.1),
                          tf.train.ProximalAdagradOptimizer(0.1),
                          tf.train.ProximalGradientDescentOptimizer(0.1),
                          tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)):
            w = tf.get_variable(f"w{len(tf.global_variables())}", [6, 3], use_resource=resource)
            table = tf.get_variable(f"w{len(tf.global_variables())}", [10, 4], use_resource=resource)
            rows = tf.nn.embedding_lookup(table, tf.constant([1, 2, 2]))
            train(tf.reduce_sum(tf.square(x @ w)) + tf.reduce_sum(rows), optimizer)


def convolution_net(channels_first):
    order = "NCHW" if channels_first else "NHWC"
    x = tf.placeholder(tf.float32, [None, 3, 33, 29] if channels_first else [None, 33, 29, 3])
    s = (lambda a: [1, 1, a, a]) if channels_first else (lambda a: [1, a, a, 1])
    h = tf.nn.conv2d(x, weights(3, 3, 3, 8), s(2), "SAME", data_format=order)
    h = tf.nn.relu(tf.nn.bias_add(h, weights(8), data_format=order))
    h = tf.nn.conv2d(h, weights(5, 3, 8, 8), s(1), "VALID", data_format=order)
    h, _, _ = tf.nn.fused_batch_norm(h, weights(8), weights(8), data_format=order)
    h = tf.nn.max_pool(h, s(2), s(2), "SAME", data_format=order)
    pads = [[0, 0], [0, 0], [1, 2], [2, 0]] if channels_first else [[0, 0], [1, 2], [2, 0], [0, 0]]
    h = tf.nn.conv2d(h, weights(3, 3, 8, 12), s(1), pads, data_format=order,
                     dilations=s(2))
    h = tf.nn.depthwise_conv2d(h, weights(2, 2, 12, 2), s(1), "SAME", data_format=order)
    h = tf.nn.avg_pool(h, s(3), s(1), "VALID", data_format=order)
    y = tf.reduce_mean(h, axis=[2, 3] if channels_first else [1, 2])
    train(tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(
        labels=tf.one_hot(tf.argmax(y, 1), 24), logits=y)))


@model
def convolutions_channels_last():
    convolution_net(False)


@model
def convolutions_channels_first():
    convolution_net(True)


@model
def convolutions_static_batch():
    x = tf.placeholder(tf.float32, [16, 40, 40, 4])
    h = tf.nn.conv2d(x, weights(3, 3, 4, 8), 1, "SAME")
    h = tf.nn.conv2d_transpose(h, weights(4, 4, 6, 8), [16, 80, 80, 6], 2, "SAME")
    h = tf.nn.dilation2d(h, weights(3, 3, 6), [1, 2, 2, 1], [1, 1, 1, 1], "SAME")
    h = tf.nn.separable_conv2d(h, weights(3, 3, 6, 1), weights(1, 1, 6, 10), [1, 1, 1, 1], "VALID")
    h = tf.nn.local_response_normalization(h)
    h, where = tf.nn.max_pool_with_argmax(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    train(mean_of([h, where]))


@model
def volumes_and_signals():
    x = tf.placeholder(tf.float32, [None, 12, 16, 16, 2])
    h = tf.nn.conv3d(x, weights(3, 3, 3, 2, 4), [1, 2, 2, 2, 1], "SAME")
    h = tf.nn.max_pool3d(h, 2, 2, "VALID")
    h = tf.nn.avg_pool3d(h, 2, 1, "SAME")
    n = tf.shape(h)[0]
    h = tf.nn.conv3d_transpose(h, weights(2, 2, 2, 4, 4), tf.stack([n, 6, 8, 8, 4]), [1, 2, 2, 2, 1])
    signal = tf.placeholder(tf.float32, [None, 50, 3])
    s = tf.nn.conv1d(signal, weights(5, 3, 7), 2, "SAME")
    s = tf.nn.pool(s, [2], "MAX", "VALID")
    s = tf.layers.conv1d(s, 4, 3, dilation_rate=2, padding="same")
    train(mean_of([h, s]))


@model
def layers_of_the_library():
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    is_training = tf.placeholder(tf.bool, [])
    h = tf.layers.conv2d(x, 8, 3, activation=tf.nn.relu, padding="same")
    h = tf.layers.batch_normalization(h, training=is_training, fused=False)
    h = tf.layers.max_pooling2d(h, 2, 2)
    h = tf.layers.conv2d_transpose(h, 6, 3, strides=2, padding="same")
    h = tf.layers.separable_conv2d(h, 5, 3)
    h = tf.layers.batch_normalization(h, training=is_training)
    h = tf.layers.dropout(h, 0.4, training=is_training)
    h = tf.layers.flatten(h)
    h = tf.layers.dense(h, 20)
    loss = tf.losses.mean_squared_error(tf.zeros_like(h), h) + tf.losses.absolute_difference(
        tf.ones_like(h), h) + tf.losses.huber_loss(tf.ones_like(h), h) + tf.losses.log_loss(
            tf.ones_like(h), tf.sigmoid(h)) + tf.losses.hinge_loss(tf.ones_like(h), h)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train(loss)


def recurrent(cell, time, batch, dynamic_length):
    x = tf.placeholder(tf.float32, [batch, time, 7])
    length = tf.placeholder(tf.int32, [batch]) if dynamic_length else None
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=length, dtype=tf.float32)
    logits = tf.layers.dense(outputs[:, -1], 3)
    optimizer = tf.train.AdamOptimizer(0.1)
    loss = tf.reduce_mean(logits) + mean_of(tf.nest.flatten(state))
    tensors, variables = zip(*optimizer.compute_gradients(loss))
    tensors, _ = tf.clip_by_global_norm(tensors, 5.0)
    optimizer.apply_gradients(zip(tensors, variables))


@model
def recurrent_lstm():
    recurrent(tf.nn.rnn_cell.LSTMCell(11), None, None, True)


@model
def recurrent_stack_static():
    cells = [tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(n), 0.5) for n in (9, 6)]
    recurrent(tf.nn.rnn_cell.MultiRNNCell(cells), 13, 4, False)


@model
def recurrent_basic():
    recurrent(tf.nn.rnn_cell.BasicRNNCell(8), 10, None, True)


@model
def recurrent_both_ways():
    x = tf.placeholder(tf.int32, [None, 15])
    h = tf.nn.embedding_lookup(weights(100, 9), x)
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(5), tf.nn.rnn_cell.LSTMCell(5), h, dtype=tf.float32,
        sequence_length=tf.reduce_sum(tf.sign(x), 1))
    h = tf.concat(outputs, 2)
    score = tf.nn.softmax(tf.squeeze(tf.layers.dense(h, 1), 2))
    context = tf.reduce_sum(h * tf.expand_dims(score, 2), 1)
    train(mean_of([context]))


@model
def recurrent_unrolled():
    x = tf.placeholder(tf.float32, [None, 6, 4])
    steps = tf.unstack(x, axis=1)
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.LSTMCell(3, num_proj=2), steps, dtype=tf.float32)
    train(mean_of([tf.stack(outputs, 1)]))


@model
def attention():
    batch = tf.placeholder(tf.float32, [None, 16, 24])
    heads, size = 4, 6
    def project(t):
        p = tf.reshape(tf.reshape(t, [-1, 24]) @ weights(24, 24), [-1, 16, heads, size])
        return tf.transpose(p, [0, 2, 1, 3])
    q, k, v = project(batch), project(batch), project(batch)
    scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(size)
    mask = tf.linalg.band_part(tf.ones([16, 16]), -1, 0)
    scores = tf.where(tf.broadcast_to(mask > 0, tf.shape(scores)), scores, -1e9 * tf.ones_like(scores))
    mixed = tf.transpose(tf.nn.softmax(scores) @ v, [0, 2, 1, 3])
    h = tf.reshape(mixed, [-1, 16, 24]) + batch
    mean, variance = tf.nn.moments(h, [-1], keep_dims=True)
    h = tf.nn.batch_normalization(h, mean, variance, weights(24), weights(24), 1e-5)
    h = tf.einsum("bth,ho->bto", h, weights(24, 10))
    h = tf.tensordot(h, weights(10, 5), [[2], [0]])
    train(mean_of([h]))


@model
def attention_open_lengths():
    x = tf.placeholder(tf.float32, [None, None, 24])
    shape = tf.shape(x)
    q = tf.reshape(x, [shape[0], shape[1], 4, 6])
    q = tf.transpose(q, [0, 2, 1, 3])
    scores = tf.matmul(q, q, adjoint_b=True)
    h = tf.matmul(tf.nn.softmax(scores), q)
    h = tf.reshape(tf.transpose(h, [0, 2, 1, 3]), shape)
    h = tf.layers.dense(h, 12)
    h = tf.einsum("bth,bsh->bts", h, h)
    train(mean_of([h]))


@model
def keras_models():
    inputs = tf.keras.Input([32, 32, 3])
    h = inputs
    for layer in (tf.keras.layers.Conv2D(8, 3, padding="same"), tf.keras.layers.BatchNormalization(),
                  tf.keras.layers.ReLU(), tf.keras.layers.SeparableConv2D(12, 3),
                  tf.keras.layers.UpSampling2D(2), tf.keras.layers.Cropping2D(3),
                  tf.keras.layers.ZeroPadding2D(1), tf.keras.layers.LayerNormalization(),
                  tf.keras.layers.SpatialDropout2D(0.1), tf.keras.layers.GlobalAveragePooling2D(),
                  tf.keras.layers.RepeatVector(4), tf.keras.layers.Permute([2, 1]),
                  tf.keras.layers.Reshape([4, 12]), tf.keras.layers.TimeDistributed(tf.keras.layers.Dense(6)),
                  tf.keras.layers.Flatten(), tf.keras.layers.Dense(9), tf.keras.layers.PReLU()):
        h = layer(h)
    train(mean_of([h]))


@model
def keras_recurrent():
    inputs = tf.keras.Input([10, 5])
    h = tf.keras.layers.LSTM(6, return_sequences=True)(inputs)
    h = tf.keras.layers.GRU(7)(h)
    train(mean_of([h]))
