"""Small training steps of TensorFlow 1's kind, run with tracing on; for the worker."""
import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import rewriter_config_pb2

tf1 = tf.compat.v1


def convolutions():
    x = tf1.placeholder(tf.float32, [None, 24, 24, 3], "x")
    h = x
    for i, filters in enumerate([8, 16]):
        w = tf1.get_variable(f"w{i}", [3, 3, 3 if i == 0 else 8, filters])
        h = tf1.nn.relu(tf1.nn.conv2d(h, w, 1, "SAME") + tf1.get_variable(f"b{i}", [filters]))
        h = tf1.nn.max_pool(h, 2, 2, "SAME")
    flat = tf1.reshape(h, [-1, 6 * 6 * 16])
    dense = tf1.nn.relu(tf1.matmul(flat, tf1.get_variable("dense", [6 * 6 * 16, 200])))
    return {x: (8, 24, 24, 3)}, tf1.reduce_mean(tf1.square(dense))


def loop():
    x = tf1.placeholder(tf.float32, [None, 32], "x")
    w = tf1.get_variable("w", [32, 32])
    rounds = tf1.while_loop(lambda i, h: i < 7, lambda i, h: (i + 1, tf1.tanh(tf1.matmul(h, w) + h)),
                            [tf.constant(0), x])
    return {x: (64, 32)}, tf1.reduce_sum(rounds[1])


def recurrent():
    """A loop that keeps ten times as much for its gradient as one round of it needs; rounds do not overlap."""
    x = tf1.placeholder(tf.float32, [32, 40, 64], "x")
    outputs, _ = tf1.nn.dynamic_rnn(tf1.nn.rnn_cell.LSTMCell(128), x, dtype=tf.float32,
                                    parallel_iterations=1)
    return {x: (32, 40, 64)}, tf1.reduce_mean(tf1.square(outputs[:, -1]))


def branches():
    x = tf1.placeholder(tf.float32, [None, 16], "x")
    w = tf1.get_variable("w", [16, 256])
    y = tf1.matmul(x, w)
    taken = tf1.cond(tf1.reduce_sum(x) > 0, lambda: tf1.nn.relu(y) * 2.0, lambda: tf1.exp(y))
    return {x: (32, 16)}, tf1.reduce_mean(taken)


KINDS = {"convolutions": convolutions, "loop": loop, "recurrent": recurrent, "branches": branches}


def traced_step(kind, folder, optimized, threads):
    """Trains three steps and writes a log of the last with its graph; the largest sum of its allocation
    records, counted here."""
    with tf.Graph().as_default() as graph:
        tf1.disable_control_flow_v2()
        tf1.set_random_seed(1)
        feeds, loss = KINDS[kind]()
        train = tf1.train.AdamOptimizer(1e-3).minimize(loss)
        tf1.add_to_collection("train_op", train)
        config = tf1.ConfigProto(intra_op_parallelism_threads=threads,
                                 inter_op_parallelism_threads=threads)
        config.graph_options.rewrite_options.CopyFrom(
            rewriter_config_pb2.RewriterConfig(disable_meta_optimizer=not optimized))
        random = np.random.RandomState(1)
        values = {x: random.rand(*shape).astype(np.float32) for x, shape in feeds.items()}
        with tf1.Session(config=config) as session:
            session.run(tf1.global_variables_initializer())
            for _ in range(3):
                metadata = tf1.RunMetadata()
                options = tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE)
                session.run([train, loss], values, options=options, run_metadata=metadata)
        writer = tf1.summary.FileWriter(folder, graph)
        writer.add_run_metadata(metadata, "traced", 3)
        writer.close()
    (stats,) = metadata.step_stats.dev_stats
    memories = [[(record.alloc_micros, record.alloc_bytes) for record in memory.allocation_records]
                for node in stats.node_stats for memory in node.memory]
    records = [record for memory in memories for record in memory]
    moments = bytes_for_a_moment(memories)
    live = most = 0
    for at in sorted({at for at, _ in records}):
        live += sum(size for time, size in records if time == at)
        most = max(most, live + moments.get(at, 0))
    return {"peak": most, "rows": len(stats.node_stats)}


def bytes_for_a_moment(memories):
    """By microsecond: what came and went in it. A release is that of the oldest allocation of its size."""
    moments = {}
    for records in memories:
        waiting = {}
        for at, size in records:
            if size > 0:
                waiting.setdefault(size, []).append(at)
            elif waiting.get(-size) and waiting[-size].pop(0) == at:
                moments[at] = moments.get(at, 0) - size
    return moments
