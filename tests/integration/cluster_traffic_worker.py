"""What TensorFlow did in traced steps on a cluster, as JSON by log folder: the device of every op, what one device got from another, by tensor,
in the words of the trace ("40B", "0.2MB"), and the exact bytes of what ops made."""
import glob
import json
import re
import sys

import tensorflow.compat.v1 as tf

RECEIVED = re.compile(r"\[([\d.]+M?B)\] .*?edge_\d+_(.*) from (\S+) to (\S+)$")


def short(device):
    return device.replace("/replica:0", "")


def metadata_of(folder):
    for path in glob.glob(folder + "/events.out.tfevents.*"):
        for event in tf.train.summary_iterator(path):
            if event.HasField("tagged_run_metadata"):
                found = tf.RunMetadata()
                found.ParseFromString(event.tagged_run_metadata.run_metadata)
                return found
    raise AssertionError(f"no trace in {folder}")


def traced(folder):
    devices, sent, made = {}, {}, {}
    for stats in metadata_of(folder).step_stats.dev_stats:
        for node in stats.node_stats:
            if node.node_name == "RecvTensor":
                found = RECEIVED.match(node.timeline_label)
                assert found, node.timeline_label
                size, name, source, target = found.groups()
                name = re.sub(r"^_recv_(.*)_0$", r"\1", name)  # what is fed
                of_pair = sent.setdefault(f"{short(source)} -> {short(target)}", {})
                of_pair.setdefault(name, []).append(size)
            else:
                devices[node.node_name] = short(stats.device)
                for output in node.output:
                    about = output.tensor_description
                    size = tf.as_dtype(about.dtype).base_dtype.size
                    for dim in about.shape.dim:
                        size *= dim.size
                    made.setdefault(node.node_name, []).append(size)
    return {"devices": devices, "sent": sent, "made": made}


if __name__ == "__main__":
    print(json.dumps({folder: traced(folder) for folder in sys.argv[1:]}))
