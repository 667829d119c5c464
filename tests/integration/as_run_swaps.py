"""Measures what a rewritten step holds on the device that its copies leave; a script of developers, no test.

    TENSORFLOWS_PYTHON tests/integration/as_run_swaps.py KIND BATCH FETCH GRAPH OUT

GRAPH is what `tideline rewrite` made of the graph of KIND (as_run_models.py and its neighbours) for BATCH. TensorFlow
runs it on two CPUs of one process: what has no device on the second, the copies on the first, one thread, Grappler
on, oneDNN off, the second step. Between two CPUs a buffer is handed over and not copied, so records cannot say when
the device would give it back. What the device's allocator would hold follows from the trace: a buffer is taken when
the op begins that makes it, or when it is received, and given back when the last op of that device that reads it, or a
view of it, has ended. Copies take no time. OUT gets the peak of that, with variables, constants and what is fed.
"""
import collections
import json
import os
import pathlib
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

tf.disable_v2_behavior()
import as_run_files  # noqa: E402,F401: its kinds are added to the others
import as_run_models  # noqa: E402
import as_run_records  # noqa: E402
import as_run_sequences  # noqa: E402,F401
import as_run_steps  # noqa: E402

RESIDENT = (*as_run_steps.VARIABLES, "Const", "_Arg", "Placeholder")


def on_two_devices(path):
    meta = tf.MetaGraphDef()
    meta.ParseFromString(pathlib.Path(path).read_bytes())
    for node in meta.graph_def.node:
        node.device = "/device:CPU:0" if "cpu" in node.device.lower() else "/device:CPU:1"
    tf.import_graph_def(meta.graph_def, name="")


def feeds_of(name, batch):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        return {tensor.name: np.asarray(value).astype(tensor.dtype.as_numpy_dtype)
                for tensor, value in as_run_models.KINDS[name][0](batch)[0].items()}


def second_step(graph, fetch, feeds):
    config = tf.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1, inter_op_parallelism_threads=1,
                            device_count={"CPU": 2})
    with tf.Session(graph=graph, config=config) as session:
        session.run(as_run_steps.initial_of(graph))
        for _ in range(2):
            metadata = tf.RunMetadata()
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
            session.run(fetch, feeds, options=options, run_metadata=metadata)
    return metadata


class Device:
    """The buffers of one device: who made each, how large it is, and from when to when it is held."""

    def __init__(self, nodes, rows, received):
        self.nodes, self.buffers = nodes, list(received.values())
        self.tensors = {f"{name}:0": buffer for name, buffer in received.items()}
        for row in sorted(rows, key=lambda row: row.all_start_nanos):
            self.run(row)

    def run(self, row):
        node = self.nodes[row.node_name]
        begin, end = row.all_start_nanos, row.all_start_nanos + row.op_end_rel_nanos
        read = [self.tensors.get(word if ":" in word else word + ":0") for word in node.input if word[0] != "^"]
        for buffer in filter(None, read):
            buffer["to"] = max(buffer["to"], end)
        for slot, size, address, _ in as_run_records.outputs_of(row):
            shared = next((buffer for buffer in read if buffer and buffer["address"] == address and address), None)
            if shared is None:
                shared = {"name": f"{node.name}:{slot}", "type": node.op, "bytes": size, "address": address,
                          "from": begin, "to": end}
                self.buffers.append(shared)
            self.tensors[f"{node.name}:{slot}"] = shared

    def most(self):
        """(bytes, what is alive then), without what is resident."""
        changes = collections.defaultdict(int)
        held = [buffer for buffer in self.buffers if buffer["type"] not in RESIDENT]
        for buffer in held:
            changes[buffer["from"]] += buffer["bytes"]
            changes[buffer["to"] + 0.5] -= buffer["bytes"]
        live = most = when = 0
        for moment in sorted(changes):
            live += changes[moment]
            if live > most:
                most, when = live, moment
        return most, {buffer["name"]: buffer["bytes"] for buffer in held if buffer["from"] <= when <= buffer["to"]}


def rows_by_name(metadata, device):
    return {row.node_name: row for stats in metadata.step_stats.dev_stats if stats.device.endswith(device)
            for row in stats.node_stats}


def received_of(parts, rows):
    """By name of a _Recv of the device: its buffer, there when the op of the other device has run that was waited for.
    TensorFlow has no times of _Send and _Recv."""
    sent = {node.attr["tensor_name"].s: node for node in parts["CPU:0"].node if node.op == "_Send"}
    types = {node.name: node.op for node in parts["CPU:0"].node}
    found = {}
    for node in parts["CPU:1"].node:
        source, _, slot = sent[node.attr["tensor_name"].s].input[0].partition(":") if node.op == "_Recv" else ("", "", "")
        row = rows.get(source)
        for output, size, address, _ in as_run_records.outputs_of(row) if row else []:
            if output == int(slot or 0):
                end = row.all_start_nanos + row.op_end_rel_nanos
                kind = types[source] if types[source] in RESIDENT else "_Recv"
                found[node.name] = {"name": node.name, "type": kind, "bytes": size, "address": address,
                                    "from": end, "to": end}
    return found


def device_of(metadata):
    parts = {part.node[0].device[-5:]: part for part in metadata.partition_graphs}
    nodes = {node.name: node for node in parts["CPU:1"].node}
    rows = [row for name, row in rows_by_name(metadata, "CPU:1").items() if name in nodes]
    received = received_of(parts, rows_by_name(metadata, "CPU:0")) if "CPU:0" in parts else {}
    return parts["CPU:1"], Device(nodes, rows, received)


def main(name, batch, fetch, path, out):
    feeds = feeds_of(name, int(batch))
    with tf.Graph().as_default() as graph:
        on_two_devices(path)
        sizes = as_run_steps.variable_sizes(graph)
        metadata = second_step(graph, graph.get_operation_by_name(fetch), feeds)
    part, device = device_of(metadata)
    most, alive = device.most()
    resident = sum(sizes.values()) + as_run_steps.constants_of(part) + sum(value.nbytes for value in feeds.values())
    received = [buffer for buffer in device.buffers if buffer["type"] == "_Recv"]
    found = {"peak_bytes": most + resident, "resident_bytes": resident, "alive_at_peak": alive,
             "received": len(received), "received_bytes": sum(buffer["bytes"] for buffer in received)}
    pathlib.Path(out).write_text(json.dumps(found), encoding="utf-8")
    print(f"{name}: {found['peak_bytes'] / (1 << 20):.1f} MiB, {len(received)} received", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
