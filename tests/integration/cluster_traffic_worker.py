"""What TensorFlow did in traced steps on a cluster, as JSON by log folder: the device of every op, the bytes that were sent by pair of
devices, and the peak of every device's allocator."""
import json
import sys

import tensorflow.compat.v1 as tf
from tensorflow.python.summary.summary_iterator import summary_iterator


def short(device):
    return device.replace("/replica:0", "")


def metadata_of(folder):
    for path in tf.io.gfile.glob(folder + "/events.out.tfevents.*"):
        for event in summary_iterator(path):
            if event.HasField("tagged_run_metadata"):
                found = tf.RunMetadata()
                found.ParseFromString(event.tagged_run_metadata.run_metadata)
                return found
    raise AssertionError(f"no trace in {folder}")


def traced(folder):
    metadata = metadata_of(folder)
    devices, sent, memory = {}, {}, {}
    for stats in metadata.step_stats.dev_stats:
        events = []
        for node in stats.node_stats:
            name = node.node_name.split(":")[0]
            devices.setdefault(name, short(stats.device))
            for used in node.memory:
                for record in used.allocation_records:
                    events.append((record.alloc_micros, record.alloc_bytes))
            if node.timeline_label.find("_Recv") < 0 and not name.startswith("_recv") and " = _Recv(" not in node.timeline_label:
                pass
        now = most = 0
        for _, change in sorted(events, key=lambda event: event[0]):
            now += change
            most = max(most, now)
        memory[short(stats.device)] = most
    for graph in metadata.partition_graphs:
        for node in graph.node:
            if node.op != "_Recv" or node.attr["client_terminated"].b:
                continue
            pair = short(node.attr["send_device"].s.decode()), short(node.attr["recv_device"].s.decode())
            sent.setdefault(" -> ".join(pair), {})[node.attr["tensor_name"].s.decode()] = node.name
    sizes = {}
    for stats in metadata.step_stats.dev_stats:
        for node in stats.node_stats:
            for output in node.output:
                shape = [dim.size for dim in output.tensor_description.shape.dim]
                size = tf.as_dtype(output.tensor_description.dtype).size
                for dim in shape:
                    size *= dim
                sizes[short(stats.device), node.node_name, output.slot] = size
    return {"devices": devices, "sent": sent, "memory": memory,
            "sizes": {" ".join(map(str, key)): value for key, value in sizes.items()}}


if __name__ == "__main__":
    print(json.dumps({folder: traced(folder) for folder in sys.argv[1:]}))
