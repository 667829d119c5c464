#!/usr/bin/env python3
"""What TensorFlow does for the integration tests: many jobs in one process, because it starts slowly.

Reads a JSON list of jobs [NAME, ARGUMENT...] from standard input and writes the list of answers to standard
output. A job that fails answers {"error": text}. Numbers are answered exactly: floats as hexadecimal text,
arrays as type, shape and digest of their bytes; the tests compare answers and know no TensorFlow.
"""
import hashlib
import json
import os
import pathlib
import sys
import traceback

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2
from traced_steps import traced_step

tf1 = tf.compat.v1


def exact(value):
    """A value such that equal means equal bit for bit."""
    value = np.asarray(value)
    if value.dtype.kind == "f" and value.ndim == 0:
        return float(value).hex()
    data = value.tobytes() if value.dtype.kind != "O" else repr(value.tolist()).encode()
    return f"{value.dtype}{list(value.shape)} {hashlib.sha256(data).hexdigest()[:20]}"


def sample(dtype, shape, salt):
    """Fixed numbers for an input; an unknown dimension gets 4."""
    shape = [4 if d is None else d for d in shape]
    random = np.random.default_rng(salt)
    if dtype.is_integer:
        return random.integers(0, 4, shape).astype(dtype.as_numpy_dtype)
    if dtype == tf.string:
        return np.full(shape, b"tide", dtype=object)
    return random.random(shape).astype(dtype.as_numpy_dtype)


def signatures(path):
    """Outputs of every signature of the loaded model, for fixed inputs, in the order of their names."""
    model = tf.saved_model.load(path)
    answer = {}
    for key in sorted(model.signatures):
        function = model.signatures[key]
        inputs = {name: tf.constant(sample(spec.dtype, spec.shape, 5))
                  for name, spec in sorted(function.structured_input_signature[1].items())}
        for name, value in sorted(function(**inputs).items()):
            answer[f"{key} {name}"] = exact(value.numpy())
    return answer


def keras(path):
    model = tf.keras.models.load_model(path)
    images = sample(tf.float32, model.input_shape, 6)
    answer = {"predict": exact(model.predict(images, verbose=0))}
    for step in range(2):
        loss = model.train_on_batch(images, np.arange(4), return_dict=True)["loss"]
        answer[f"loss {step}"] = exact(np.float32(loss))
    answer.update({v.name: exact(v.numpy()) for v in model.variables})
    return answer


def variables_of(model):
    return {v.name: v for v in [*model.kernels, model.dense, model.bias, *sum(model.adam_slots, []),
                                *model.momentum_slots]} | {f"power {i}": v for i, v in enumerate(model.powers)}


def train(path, steps):
    """Trains a model of make_train_step.py; losses and all variables after the last step, and its swaps."""
    model = tf.saved_model.load(path)
    losses = []
    for step in range(steps):
        images = sample(tf.float32, [4 + step, 8, 8, 1], 10 + step)
        labels = sample(tf.int64, [4 + step], 20 + step)
        losses.append(exact(model.train_step(tf.constant(images), tf.constant(labels))["loss"].numpy()))
    body = model.train_step.concrete_functions[0].graph.get_operations()
    return {"losses": losses, "variables": {n: exact(v.numpy()) for n, v in variables_of(model).items()},
            "swaps": swaps_of(body)}


def swaps_of(operations):
    """Copies among the ops: what each reads and waits for, and its device."""
    return {o.name: [[t.name for t in o.inputs], [c.name for c in o.control_inputs], o.device]
            for o in operations if o.name.startswith("lms/")}


def session_config():
    config = tf1.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1,
                             inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return config


def run_meta_graph(session, meta, steps):
    """Every signature `steps` times, with the op that trains: outputs, and names of the copies that ran."""
    answer, ran = {}, set()
    train = list(meta.collection_def["train_op"].node_list.value) if "train_op" in meta.collection_def else []
    for key, signature in sorted(meta.signature_def.items()):
        if key.startswith("__"):
            continue
        for step in range(steps):
            feed = {i.name: sample(tf.as_dtype(i.dtype), [None if d.size < 0 else d.size
                                                          for d in i.tensor_shape.dim], 30 + step)
                    for _, i in sorted(signature.inputs.items())}
            fetch = {name: output.name for name, output in sorted(signature.outputs.items())}
            trace = tf1.RunMetadata()
            values, _ = session.run([fetch, train], feed, options=tf1.RunOptions(trace_level=3), run_metadata=trace)
            answer.update({f"{key} {step} {name}": exact(value) for name, value in values.items()})
            ran |= {n.node_name for d in trace.step_stats.dev_stats for n in d.node_stats}
    return {"values": answer, "swaps run": sorted(n[n.index("lms/"):] for n in ran if "lms/" in n)}


def in_session(path, tags, steps):
    """The MetaGraph with these tags, loaded as TensorFlow 1 does."""
    with tf.Graph().as_default(), tf1.Session(config=session_config()) as session:
        return run_meta_graph(session, tf1.saved_model.load(session, tags, path), steps)


def with_numbers(path, signature_file, steps):
    """A GraphDef or MetaGraphDef file with a library; variables get fixed numbers. The signatures are read
    from another file, because a GraphDef has none."""
    meta = read(signature_file)
    with tf.Graph().as_default() as graph, tf1.Session(config=session_config()) as session:
        tf.import_graph_def(graph_of(read(path)), name="")
        for number, op in enumerate(graph.get_operations()):
            if op.type == "VarHandleOp":
                dtype = tf.as_dtype(op.get_attr("dtype"))
                value = sample(dtype, [d.size for d in op.get_attr("shape").dim], number)
                session.run(tf.raw_ops.AssignVariableOp(resource=op.outputs[0], value=value))
        # Signatures without inputs read files of the model.
        for key in [k for k, signature in meta.signature_def.items() if not signature.inputs]:
            del meta.signature_def[key]
        return run_meta_graph(session, meta, steps)


def run_graph(path, feeds, fetches):
    """Runs a GraphDef: feeds are {name: shape}."""
    with tf.Graph().as_default() as graph, tf1.Session(config=session_config()) as session:
        tf.import_graph_def(graph_of(read(path)), name="")
        feed = {name: sample(graph.get_tensor_by_name(name).dtype, shape, 40) for name, shape in feeds.items()}
        return [exact(value) for value in session.run(fetches, feed)]


def read(path):
    """The message in a file: a GraphDef, MetaGraphDef or SavedModel by the end of its name."""
    path = pathlib.Path(path)
    if path.is_dir():
        path = path / "saved_model.pb"
    data = path.read_bytes()
    if path.name == "saved_model.pb":
        return saved_model_pb2.SavedModel.FromString(data)
    if path.suffix == ".meta":
        return tf1.MetaGraphDef.FromString(data)
    if path.suffix == ".pbtxt":
        return text_format.Parse(data.decode(), tf1.GraphDef())
    return tf1.GraphDef.FromString(data)


def graph_of(message):
    return message.graph_def if isinstance(message, tf1.MetaGraphDef) else message


def same_graph(model, tags, written):
    """Whether `written` holds the MetaGraph, or the main graph, of the SavedModel; and can be imported."""
    wanted = next(m for m in read(model).meta_graphs if set(m.meta_info_def.tags) == set(tags))
    message = read(written)
    # Equality of messages, not of bytes: text keeps no order of map entries. Asked before the import, which
    # adds defaults to the message it is given.
    same = message == (wanted if isinstance(message, tf1.MetaGraphDef) else wanted.graph_def)
    imported(written)
    return same


def imported(path):
    """Number of ops after an import."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_of(read(path)), name="")
        return len(graph.get_operations())


def log_graphs(log_file):
    """Every graph of an event file, GraphDef or MetaGraphDef."""
    found = []
    for event in tf1.train.summary_iterator(log_file):
        kind = event.WhichOneof("what")
        if kind == "graph_def":
            found.append(tf1.GraphDef.FromString(event.graph_def))
        elif kind == "meta_graph_def":
            found.append(tf1.MetaGraphDef.FromString(event.meta_graph_def))
    return found


def same_as_log(log_file, written):
    """Whether `written` is a graph of the event file; it is also imported."""
    graph = graph_of(read(written))
    logged = log_graphs(log_file)
    same = any(graph == graph_of(other) for other in logged)
    imported(written)
    return {"ops": len(graph.node), "logged": len(logged), "same": same}


def plant(model, out, function, op):
    """Changes one float constant of a function by the least possible amount."""
    message = read(model)
    for meta in message.meta_graphs:
        for body in meta.graph_def.library.function:
            for node in body.node_def:
                if body.signature.name == function and node.name == op:
                    value = tf.make_ndarray(node.attr["value"].tensor)
                    node.attr["value"].tensor.CopyFrom(
                        tf.make_tensor_proto(np.nextafter(value, np.float32(np.inf)), value.dtype))
                    (pathlib.Path(out) / "saved_model.pb").write_bytes(message.SerializeToString())
                    return True
    return False


def functions(model):
    """Types of the ops of every function of the first MetaGraph."""
    library = read(model).meta_graphs[0].graph_def.library
    return {f.signature.name: [n.op for n in f.node_def] for f in library.function}


JOBS = [signatures, keras, train, in_session, with_numbers, run_graph, same_graph, same_as_log, imported,
        plant, functions, traced_step]


def main():
    # One thread and no optimizer: only what the graph itself says decides about the bits.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    tf.config.experimental.enable_op_determinism()
    # Determinism refuses random ops without a seed.
    tf.keras.utils.set_random_seed(1)
    answers = []
    for name, *arguments in json.load(sys.stdin):
        try:
            answers.append(next(job for job in JOBS if job.__name__ == name)(*arguments))
        except Exception:  # the test says which job failed, and goes on with the others
            answers.append({"error": traceback.format_exc()[-1500:]})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
