"""Ops of many kinds with their gradients, for shape_models.py."""
from shape_building import gradients_of, mean_of, model, np, tf, train, weights


@model
def array_ops():
    x = tf.placeholder(tf.float32, [None, 6, 8])
    f = tf.placeholder(tf.float32, [4, 6, 8])
    w = weights(6, 8)
    parts = []
    for t in (x * w, f * w):
        a, b = tf.split(t, 2, axis=2)
        c, d, e = tf.split(t, [1, 3, 2], axis=1)
        parts += [a, b, c, d, e, tf.concat([a, b], 1), tf.stack([a, b], 1), tf.transpose(t, [2, 0, 1]),
                  tf.tile(t, [1, 2, 3]), tf.pad(t, [[0, 0], [1, 2], [3, 0]]),
                  tf.pad(t, [[0, 0], [1, 1], [2, 2]], "REFLECT"), tf.reverse(t, [1]),
                  tf.slice(t, [0, 1, 2], [-1, 3, -1]), t[:, 1:-1, ::2], t[..., -1], t[:, None, 2],
                  t[:, ::-1], tf.squeeze(t[:, :1], 1), tf.expand_dims(t, -1), tf.gather(t, [1, 3], axis=1),
                  tf.gather_nd(t, [[0, 1], [2, 3]]), tf.roll(t, 1, 1), tf.cumsum(t, 1),
                  tf.cumprod(t, 2), tf.reshape(t, [-1, 48]), tf.reshape(t, [tf.shape(t)[0], 3, -1]),
                  tf.broadcast_to(t[:, :1], tf.shape(t)), tf.clip_by_value(t, -1, 1),
                  tf.where(t > 0, t, -t), tf.identity(t), tf.stop_gradient(t),
                  tf.linalg.diag(t), tf.linalg.diag_part(t), tf.linalg.set_diag(t, t[:, 0, :6]),
                  tf.unstack(t, axis=2)[3], tf.meshgrid(t[0, 0], t[0, 1])[0],
                  tf.reverse_sequence(t, tf.constant([2, 2, 2, 2]), 1, 0) if t.shape[0] == 4 else t,
                  tf.space_to_batch_nd(t, [2, 2], [[0, 0], [0, 2]]), tf.matrix_band_part(t, 1, 1)]
    gradients_of(parts, [w])
    y = [tf.one_hot(tf.argmax(t, 1), 6) for t in (x, f)]
    y += [tf.nn.top_k(t, 3)[1] for t in (x, f)] + [tf.where(x > 0), tf.unique(tf.reshape(x, [-1]))[0],
                                                   tf.size(x), tf.rank(x), tf.sequence_mask([1, 2], 5),
                                                   tf.boolean_mask(f, f[:, 0, 0] > 0),
                                                   tf.dynamic_partition(f, [0, 1, 0, 1], 2)[0],
                                                   tf.argsort(f), tf.sort(f), tf.searchsorted(f[0], f[0]),
                                                   tf.eye(4), tf.range(3, 11, 2), tf.fill([2, 3], 1.0),
                                                   tf.linspace(0.0, 1.0, 7), tf.scatter_nd([[1]], [2], [5])]
    mean_of(y)


@model
def reductions():
    x = tf.placeholder(tf.float32, [None, 6, 8])
    w = weights(6, 8)
    t = x * w
    parts = []
    for reduce in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod,
                   tf.reduce_logsumexp, tf.math.reduce_std,
                   tf.math.reduce_variance):
        parts += [reduce(t), reduce(t, 0), reduce(t, [1, 2]), reduce(t, -1, True), reduce(t, [0, 2], True)]
    parts += [tf.norm(t, axis=1), tf.nn.l2_normalize(t, 1), tf.nn.l2_loss(t), tf.global_norm([t]),
              tf.nn.softmax(t, 1), tf.nn.log_softmax(t), tf.nn.moments(t, [0, 1])[1]]
    gradients_of(parts, [w])
    tf.reduce_all(t > 0, 1), tf.reduce_any(t > 0, [0, 2]), tf.count_nonzero(t, 1), tf.argmin(t, 2)


@model
def elementwise():
    x = tf.placeholder(tf.float32, [None, 1, 8])
    w = weights(6, 1)
    t = x * w
    parts = [f(t) for f in (
        tf.abs, tf.acos, tf.acosh, tf.asin, tf.asinh, tf.atan, tf.atanh, tf.ceil, tf.cos, tf.cosh,
        tf.digamma, tf.erf, tf.erfc, tf.exp, tf.expm1, tf.floor, tf.lgamma, tf.log, tf.log1p, tf.negative,
        tf.reciprocal, tf.rint, tf.round, tf.rsqrt, tf.sigmoid, tf.sign, tf.sin, tf.sinh, tf.sqrt, tf.square,
        tf.tan, tf.tanh, tf.nn.softsign, tf.nn.swish, tf.math.erfinv, tf.math.bessel_i0e)]
    parts += [f(x + 1, w) for f in (
        tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum, tf.pow, tf.atan2,
        tf.squared_difference, tf.floordiv, tf.floormod, tf.div_no_nan, tf.math.xlogy, tf.math.xdivy,
        tf.igamma, tf.igammac, tf.truncatediv, tf.math.multiply_no_nan, tf.math.nextafter)]
    parts += [tf.nn.sigmoid_cross_entropy_with_logits(labels=t, logits=t), tf.nn.crelu(t),
              tf.add_n([t, t]), tf.accumulate_n([t, t]), tf.complex(t, t), tf.cast(t, tf.float64)]
    gradients_of(parts, [w])


@model
def conditionals():
    x = tf.placeholder(tf.float32, [None, 6])
    flag = tf.placeholder(tf.bool, [])
    w = weights(6, 6)
    a = tf.cond(flag, lambda: x @ w, lambda: x * 2)
    b = tf.cond(flag, lambda: tf.concat([x, x], 0), lambda: x @ w)
    c = tf.case([(flag, lambda: x), (tf.reduce_sum(x) > 0, lambda: x + 1)], default=lambda: x @ w)
    train(mean_of([a, b, c]))


@model
def loops():
    x = tf.placeholder(tf.float32, [None, 6])
    w = weights(6, 6)
    def body(i, h, grown):
        h = tf.cond(i > 2, lambda: tf.tanh(h @ w), lambda: h + 1)
        return i + 1, h, tf.concat([grown, h[:1]], 0)
    _, h, grown = tf.while_loop(lambda i, *_: i < 5, body, [0, x, x[:1]],
                                shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 6]),
                                                  tf.TensorShape([None, 6])])
    inner = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.while_loop(
        lambda k, _: k < 2, lambda k, z: (k + 1, z @ w), [0, s])[1]), [0, h])[1]
    mapped = tf.map_fn(lambda row: tf.nn.softmax(row) * 2, x)
    scanned = tf.scan(lambda a, row: a + row, x)
    folded = tf.foldl(lambda a, row: a + row, x)
    train(mean_of([inner, grown, mapped, scanned, folded]))


@model
def tensor_arrays():
    x = tf.placeholder(tf.float32, [5, 3])
    w = weights(3, 3)
    array = tf.TensorArray(tf.float32, 5, element_shape=[1, 3])
    array = tf.while_loop(lambda i, _: i < 5, lambda i, a: (i + 1, a.write(i, x[i:i + 1] @ w)),
                          [0, array])[1]
    pieces = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x @ w, [2, 3])
    train(mean_of([array.stack(), array.read(1), array.concat(), pieces.concat(), array.gather([1, 2])]))


@model
def functional_control_flow():
    x = tf.placeholder(tf.float32, [None, 6])
    w = tf.get_variable("w", [6, 6], use_resource=True)
    h = tf.cond(tf.reduce_sum(x) > 0, lambda: x @ w, lambda: x * 2)
    _, h = tf.while_loop(lambda i, _: i < 4, lambda i, s: (i + 1, tf.tanh(s @ w)), [0, h])
    array = tf.TensorArray(tf.float32, 4, element_shape=[6])
    _, array = tf.while_loop(lambda i, _: i < 4, lambda i, a: (i + 1, a.write(i, h[0] + w[0])),
                             [0, array])
    train(mean_of([h, array.stack()]))


@model
def linear_algebra():
    x = tf.placeholder(tf.float32, [None, 5, 5])
    w = weights(5, 5)
    s = tf.matmul(x, x, transpose_b=True) + tf.eye(5) + w
    rect = x[:, :3] @ w
    parts = [tf.linalg.cholesky(s), tf.linalg.inv(s), tf.linalg.det(s), tf.linalg.logdet(s),
             *tf.linalg.qr(s), tf.linalg.svd(rect, compute_uv=False), *tf.linalg.eigh(s),
             tf.linalg.solve(s, x), tf.linalg.triangular_solve(s, x), tf.linalg.trace(s),
             tf.linalg.lstsq(s, x, fast=False), tf.linalg.matvec(s, x[:, 0]), tf.linalg.slogdet(s)[1],
             tf.linalg.cholesky_solve(tf.linalg.cholesky(s), x)]
    gradients_of(parts[:9], [w])
    tf.linalg.svd(rect, full_matrices=True), tf.linalg.lu(s), tf.linalg.expm(s), tf.linalg.sqrtm(s)
    tf.signal.rfft(x), tf.signal.irfft(tf.signal.rfft(x)), tf.signal.fft(tf.cast(x, tf.complex64))
    tf.signal.stft(tf.placeholder(tf.float32, [None, 400]), 64, 16)


@model
def images():
    x = tf.placeholder(tf.float32, [None, 20, 24, 4])
    w = weights(1, 1, 4, 4)
    h = tf.nn.conv2d(x, w, 1, "SAME")
    parts = [tf.image.resize_bilinear(h, [10, 12]), tf.image.resize_nearest_neighbor(h, [40, 48]),
             tf.image.resize_bicubic(h, [7, 7]), tf.space_to_depth(h, 2), tf.depth_to_space(h, 2),
             tf.image.extract_patches(h, [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
             tf.image.crop_and_resize(h, tf.zeros([6, 4]), tf.zeros([6], tf.int32), [5, 5]),
             tf.space_to_batch(h, [[0, 0], [0, 0]], 2), tf.batch_to_space(h, [[0, 0], [1, 1]], 2),
             tf.image.resize_bilinear(h, tf.shape(h)[1:3] * 2)]
    gradients_of(parts, [w])
    tf.image.resize_area(h, [10, 12]), tf.image.adjust_contrast(h[..., :3], 1.2)
    tf.image.rgb_to_hsv(h[..., :3]), tf.image.rgb_to_grayscale(h[..., :3]), tf.image.random_flip_left_right(h[0])
    tf.image.non_max_suppression(tf.zeros([9, 4]), tf.zeros([9]), 3)
    tf.image.decode_image(tf.placeholder(tf.string, [])), tf.image.decode_png(tf.placeholder(tf.string, []), 3)
    tf.image.per_image_standardization(h), tf.image.central_crop(h, 0.5), tf.image.flip_up_down(h)
    tf.image.total_variation(h), tf.image.psnr(h, h, 1.0), tf.image.sobel_edges(h)


@model
def embeddings_and_segments():
    ids = tf.placeholder(tf.int64, [None, 7])
    table = weights(50, 6)
    parts = [tf.nn.embedding_lookup(table, ids), tf.nn.embedding_lookup([weights(30, 6), weights(30, 6)], ids)]
    sparse = tf.sparse.placeholder(tf.int64, [None, 9])
    parts += [tf.nn.embedding_lookup_sparse(table, sparse, None, combiner=c) for c in ("sum", "mean", "sqrtn")]
    parts += [tf.nn.safe_embedding_lookup_sparse(table, sparse)]
    rows = tf.nn.embedding_lookup(table, ids[:, 0])
    segments = tf.placeholder(tf.int32, [None])
    parts += [tf.math.segment_sum(rows, segments), tf.math.segment_mean(rows, segments),
              tf.math.unsorted_segment_sum(rows, segments, 5), tf.math.unsorted_segment_max(rows, segments, 5),
              tf.sparse.segment_sum(table, [1, 2], [0, 0]), tf.sparse.segment_mean(table, [1, 2], [0, 0], num_segments=4)]
    loss = tf.nn.sampled_softmax_loss(weights(50, 6), weights(50), ids[:, :1], rows, 8, 50)
    nce = tf.nn.nce_loss(weights(50, 6), weights(50), ids[:, :1], rows, 8, 50)
    train(mean_of(parts + [loss, nce]), tf.train.AdagradOptimizer(0.1))


@model
def sparse():
    s = tf.sparse.placeholder(tf.float32, [None, 9])
    t = tf.sparse.from_dense(tf.placeholder(tf.float32, [4, 9]))
    w = weights(9, 5)
    parts = [tf.sparse.sparse_dense_matmul(s, w), tf.sparse.sparse_dense_matmul(t, w), tf.sparse.to_dense(s),
             tf.sparse.reduce_sum(s, 1), tf.sparse.reset_shape(s).values,
             tf.sparse.concat(0, [s, t]).indices, tf.sparse.reorder(s).values,
             tf.sparse.reshape(t, [-1, 3]).indices, tf.sparse.slice(t, [0, 0], [2, 2]).values,
             tf.sparse.softmax(t).values, tf.sparse.add(s, t).values, (s * tf.ones([1, 9])).values,
             tf.sparse.fill_empty_rows(t, 0.0)[1], tf.sparse.transpose(t).indices]
    gradients_of(parts[:2], [w])


@model
def randoms():
    x = tf.placeholder(tf.float32, [None, 6])
    parts = [tf.random.normal([3, 4]), tf.random.uniform(tf.shape(x)), tf.random.truncated_normal([5]),
             tf.random.uniform([2], maxval=5, dtype=tf.int32), tf.random.shuffle(x), tf.random.gamma([3], x),
             tf.random.poisson(x, [2]), tf.random.categorical(x, 9), tf.random.stateless_normal([2, 2], [1, 2]),
             tf.random.stateless_uniform(tf.shape(x), [1, 2]), tf.nn.dropout(x, rate=0.3),
             tf.random.log_uniform_candidate_sampler(tf.zeros([4, 2], tf.int64), 2, 6, True, 50)[0],
             tf.image.random_crop(x, [2, 6]), tf.random.experimental.stateless_shuffle(x, [1, 2])]
    mean_of(parts)


@model
def speech():
    x = tf.placeholder(tf.float32, [50, None, 12])
    w = weights(12, 12)
    logits = tf.reshape(tf.reshape(x, [-1, 12]) @ w, tf.shape(x))
    labels = tf.sparse.placeholder(tf.int32)
    length = tf.placeholder(tf.int32, [None])
    loss = tf.nn.ctc_loss(labels, logits, length)
    tf.nn.ctc_greedy_decoder(logits, length), tf.nn.ctc_beam_search_decoder(logits, length, 8, 3)
    train(tf.reduce_mean(loss))


@model
def input_pipeline():
    data = tf.data.Dataset.from_tensor_slices((np.zeros([20, 6], np.float32), np.zeros([20], np.int64)))
    data = data.shuffle(4).repeat().batch(5)
    x, y = tf.data.make_one_shot_iterator(data).get_next()
    queue = tf.FIFOQueue(10, [tf.float32, tf.int64], [[6], []])
    queue.enqueue_many([x, y])
    xs, ys = queue.dequeue_many(4)
    one, _ = queue.dequeue()
    some, _ = queue.dequeue_up_to(3)
    bx, by = tf.train.shuffle_batch([one, ys[0]], 8, 50, 10)
    parsed = tf.io.parse_example(tf.placeholder(tf.string, [None]), {
        "a": tf.io.FixedLenFeature([3], tf.float32), "b": tf.io.VarLenFeature(tf.int64)})
    w = weights(6, 2)
    train(mean_of([x @ w, xs @ w, some @ w, bx @ w, parsed["a"], parsed["b"].values, y, ys, by]))


@model
def metrics_and_summaries():
    x = tf.placeholder(tf.float32, [None, 6])
    y = tf.placeholder(tf.int64, [None])
    tf.metrics.accuracy(y, tf.argmax(x, 1)), tf.metrics.auc(tf.cast(y > 2, tf.float32), tf.sigmoid(x[:, 0]))
    tf.metrics.mean_iou(y, tf.argmax(x, 1), 6), tf.metrics.precision(y, y), tf.metrics.mean(x)
    tf.math.confusion_matrix(y, y, 6), tf.math.bincount(tf.cast(y, tf.int32), minlength=3, maxlength=7)
    tf.summary.histogram("h", x), tf.summary.scalar("s", tf.reduce_mean(x)), tf.summary.merge_all()
    tf.strings.join(["a", tf.as_string(y)]), tf.strings.split(tf.as_string(y)), tf.strings.to_number(["1"])
    tf.py_func(lambda a: a, [x], tf.float32), tf.Print(x, [x])
    with tf.control_dependencies([tf.assert_positive(x), tf.debugging.assert_equal(x, x)]):
        tf.train.Saver([tf.get_variable("v", [20, 2], partitioner=tf.fixed_size_partitioner(3)) if False else
                        tf.get_variable("v", [20, 2])])
    ema = tf.train.ExponentialMovingAverage(0.9)
    ema.apply([tf.get_variable("u", [20, 2])])


@model
def unknown_ranks():
    x = tf.placeholder(tf.float32)
    keep = tf.placeholder(tf.float32)
    k = tf.placeholder(tf.float32, [None, 8])
    w = weights(8, 3)
    h = tf.nn.dropout(k, keep_prob=keep) @ w
    y = tf.reshape(x, [-1, 8]) @ w
    z = tf.reshape(x, tf.placeholder(tf.int32, [3]))
    train(mean_of([h, y, z, x * 2, tf.reduce_sum(x), tf.reduce_mean(x, 1, True)]))
