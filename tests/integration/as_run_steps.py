"""Measures what a training step of TensorFlow really runs and needs: the corpus of as_run_table.py.

    TENSORFLOWS_PYTHON tests/integration/as_run_steps.py OUT [--inline] [KIND[:BATCH] ...]

For each kind (of as_run_models.py, as_run_sequences.py, as_run_files.py; without names: all) and batch size it
writes OUT/KIND_BATCH:
  graph.meta   the graph as the user wrote it, its collection train_op holds what is fetched
  grappler.pb  what Grappler makes of it, with its defaults and a cluster of this CPU
  ran.pb       the graph that the session ran (RunMetadata's only partition)
  ran_shapes.pb  the same for `tideline simulate`: placeholders for what is fed, no devices, the trace's shapes
  metadata.pb  the RunMetadata of the step, without its graph
  step.json    the step: ops in the order of their starts, their outputs and allocation records, and the peak

One thread of each kind, Grappler on, oneDNN off, the third step. On one thread the executor starts the newest of
the ready CPU kernels first (last in, first out), cheap ones at once; kernels of a GPU all count as cheap and run
first in, first out. --inline runs the step in the caller's thread, where every kernel is run as a GPU's are: the
order of a GPU, measured on a CPU.
"""
import collections
import json
import os
import pathlib
import sys
import traceback

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.python.grappler import tf_optimizer  # noqa: E402

tf.disable_v2_behavior()
import as_run_files  # noqa: E402
import as_run_models  # noqa: E402
import as_run_sequences  # noqa: E402,F401: its kinds are added to the others
import as_run_records  # noqa: E402

INLINE = "--inline" in sys.argv
VARIABLES = ("VariableV2", "Variable", "VarHandleOp")


def config():
    threads = -1 if INLINE else 1  # -1: in the caller's thread
    return tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1,
                          inter_op_parallelism_threads=threads)


def variable_sizes(graph):
    """Bytes by name of a variable's op, from its declared shape."""
    found = {}
    for op in graph.get_operations():
        if op.type in VARIABLES:
            shape = tf.TensorShape(op.get_attr("shape"))
            if shape.is_fully_defined():
                found[op.name] = int(shape.num_elements()) * tf.as_dtype(op.get_attr("dtype").as_datatype_enum).size
    return found


def constants_of(graph_def):
    return sum(tf.make_ndarray(node.attr["value"].tensor).nbytes for node in graph_def.node
               if node.op == "Const" and tf.as_dtype(node.attr["dtype"].type) != tf.string)


def run_as_parts(ops, graph_def):
    """How many ops ran, a fused one counted as the ops that it was made of."""
    parts = {node.name: 1 + len(node.attr["fused_ops"].list.s) for node in graph_def.node}
    return sum(parts[op["name"]] for op in ops)


def run_step(graph, fetch, feeds, initial):
    """RunMetadata of the third step."""
    with tf.Session(graph=graph, config=config()) as session:
        session.run(initial)
        for _ in range(3):
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
            session.run(fetch, feeds, options=options, run_metadata=metadata)
    return metadata


def by_grappler(graph, fetch):
    meta = tf.train.export_meta_graph(graph=graph, clear_devices=False)
    del meta.collection_def["train_op"]
    meta.collection_def["train_op"].node_list.value.append(fetch.name)
    try:
        return meta, tf_optimizer.OptimizeGraph(config(), meta, graph_id=b"step")
    except Exception as problem:  # a graph that it refuses still has ran.pb
        print("   Grappler alone:", repr(problem)[:200])
        return meta, None


def asked_types(fetch):
    """How many ops of each type the graph as written needs for the fetch."""
    seen, waiting = {fetch}, [fetch]
    while waiting:
        op = waiting.pop()
        for source in [tensor.op for tensor in op.inputs] + list(op.control_inputs):
            if source not in seen:
                seen.add(source)
                waiting.append(source)
    return collections.Counter(op.type for op in seen)


def initial_of(graph):
    """The initialiser of each variable: those of a graph read from a file may be in no collection."""
    return sorted((op for op in graph.get_operations() if op.type in ("Assign", "AssignVariableOp")
                   and op.inputs[0].op.type in VARIABLES and op.name.endswith("/Assign")
                   and op.name[:-len("/Assign")] == op.inputs[0].op.name), key=lambda op: op.name)


def measure(name, batch, folder):
    build = as_run_models.KINDS[name][0]
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        feeds, fetch = build(batch)
        initial = initial_of(graph) if name in as_run_files.FILES else \
            [tf.global_variables_initializer(), tf.local_variables_initializer()]
        sizes = variable_sizes(graph)
        tf.get_default_graph().clear_collection("train_op")
        tf.add_to_collection("train_op", fetch)
        meta, optimized = by_grappler(graph, fetch)
        metadata = run_step(graph, fetch, feeds, initial)
    assert len(metadata.partition_graphs) == 1, "one CPU, one partition"
    ran = metadata.partition_graphs[0]
    step = as_run_records.read_step(metadata.step_stats, ran)
    of_step = {node.name: sizes[node.name] for node in ran.node if node.name in sizes}
    step.update(asked_types=asked_types(fetch), ran_types=collections.Counter(node.op for node in ran.node),
                run_as_parts=run_as_parts(step["ops"], ran))
    step.update(kind=name, batch=batch, fetch=fetch.name, variables=of_step, variables_bytes=sum(of_step.values()),
                all_variables_bytes=sum(sizes.values()), constants_bytes=constants_of(ran),
                feeds={tensor.name: int(np.asarray(value).astype(tensor.dtype.as_numpy_dtype).nbytes)
                       for tensor, value in feeds.items()})
    step["branches"] = {tensor.op.name: bool(value) for tensor, value in feeds.items()
                        if tensor.dtype == tf.bool and np.ndim(value) == 0}
    step["fed_bytes"] = sum(step["feeds"].values())
    step["peak_bytes"] = step["records_peak_bytes"] + step["variables_bytes"] + step["fed_bytes"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "graph.meta").write_bytes(meta.SerializeToString())
    (folder / "ran.pb").write_bytes(ran.SerializeToString())
    metadata.ClearField("partition_graphs")
    (folder / "metadata.pb").write_bytes(metadata.SerializeToString())
    shaped = as_run_records.with_shapes(ran, step["ops"])
    (folder / "ran_shapes.pb").write_bytes(shaped.SerializeToString())
    if optimized is not None:
        (folder / "grappler.pb").write_bytes(optimized.SerializeToString())
    (folder / "step.json").write_text(json.dumps(step), encoding="utf-8")
    mib = 1 << 20
    print(f"{folder.name}: {step['peak_bytes'] / mib:.1f} MiB (records {step['records_peak_bytes'] / mib:.1f}, "
          f"variables {step['variables_bytes'] / mib:.1f}), {len(step['ops'])} ops, {step['micros'] / 1e6:.1f} s, "
          f"at {step['peak_op']}", flush=True)


def in_a_fork(work, *arguments):
    """Each step in a process of its own, which gives its memory back; importing TensorFlow is paid once."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work(*arguments)
            code = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def main(out, *wanted):
    cases = [(name, batch) for name, (_, batches) in as_run_models.KINDS.items() for batch in batches]
    if wanted:
        asked = [word.partition(":") for word in wanted]
        cases = [(name, int(batch)) for name, _, batch in asked if batch] + \
                [case for name, _, batch in asked if not batch for case in cases if case[0] == name]
    failed = [case for case in cases
              if not in_a_fork(measure, *case, pathlib.Path(out) / f"{case[0]}_{case[1]}")]
    return f"failed: {failed}" if failed else 0


if __name__ == "__main__":
    sys.exit(main(*(word for word in sys.argv[1:] if word != "--inline")))
