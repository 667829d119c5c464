"""TensorFlow's graph optimizer, Grappler, in a process of its own: asked by optimize.cc, for TensorFlow 1.13 to 2.15.

Descriptor 3 is a socket. One frame of messages.h is read, whose content is four parts, each behind its length in
8 bytes (little-endian): "GraphDef" or "MetaGraphDef"; the message of that type; the names of what is fetched, one a
line; the GPUs, a line of memory in bytes, bandwidth in kB/s and multiprocessors at 1 GHz each. The answer has the same
message with the optimized graph, and says which collections lost something.
"""
import sys
sys.path[:] = [path for path in sys.path if path]  # no modules from the current folder
import os
import struct
import tempfile
tempfile.tempdir = "/"  # not to be searched for by writing, which is denied

GPU = "/job:localhost/replica:0/task:0/device:GPU:"
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def read(count):
    data = bytearray()
    while len(data) < count:
        piece = os.read(3, min(count - len(data), 1 << 20))
        if not piece:
            sys.exit(1)
        data += piece
    return bytes(data)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def reply(code, message="", version="", graph=b""):
    content = b"\x08" + varint(code)
    for number, data in ((2, message.encode()), (3, version.encode()), (6, graph)):
        content += varint(number << 3 | 2) + varint(len(data)) + data
    frame = memoryview(struct.pack("<QB", len(content), 3) + content)
    while frame:
        frame = frame[os.write(3, frame):]


def op_of(name):
    return name.lstrip("^").split(":")[0]


def variables_of(collection, names):
    """The VariableDefs of a collection if that is what it lists, else an empty list."""
    from tensorflow.core.framework import variable_pb2
    found = []
    for data in collection.bytes_list.value:
        variable = variable_pb2.VariableDef()
        try:
            variable.ParseFromString(data)
        except Exception:
            return []
        if op_of(variable.variable_name) not in names or op_of(variable.initializer_name) not in names:
            return []
        found.append(variable)
    return found


def ops_of(variable):
    texts = (variable.variable_name, variable.initializer_name, variable.snapshot_name, variable.initial_value_name)
    return [op_of(text) for text in texts if text]


def keep(meta, names):
    """Adds what variables and saver name to a collection whose ops Grappler leaves alone."""
    kept = set()
    for collection in meta.collection_def.values():
        for variable in variables_of(collection, names):
            kept.update(ops_of(variable))
    saver = meta.saver_def
    kept.update(op_of(text) for text in (saver.filename_tensor_name, saver.save_tensor_name, saver.restore_op_name))
    meta.collection_def["table_initializer"].node_list.value.extend(sorted(kept & names))


def without_missing(meta, before, after):
    """Takes out of the collections what names ops that are gone; returns the keys of those that lost something."""
    lost = []
    for key in sorted(meta.collection_def):
        collection = meta.collection_def[key]
        kind = collection.WhichOneof("kind")
        if kind == "node_list":
            values = collection.node_list.value
            left = [name for name in values if op_of(name) in after]
        elif kind == "bytes_list":  # of variables; else contexts of conditionals and loops and the like
            values = collection.bytes_list.value
            found = variables_of(collection, before)
            left = [data for data, variable in zip(list(values), found) if after.issuperset(ops_of(variable))]
        else:
            continue
        if len(left) == len(values):
            continue
        lost.append(key)
        if left:
            del values[:]
            values.extend(left)
        else:
            del meta.collection_def[key]
    return lost


def place(graph, gpus):
    """Puts ops without a device on the first GPU, as a session would, and returns their devices of before."""
    before = {node.name: node.device for node in graph.node}
    for node in graph.node:
        if gpus and not node.device:
            node.device = GPU + "0"
    return before


def take_back(graph, before, colocations):
    """Devices as in the file, and who has to be where others are, as far as these are there."""
    names = {node.name for node in graph.node}
    for node in graph.node:
        if node.device == GPU + "0" and not before.get(node.name):
            node.device = ""
        places = [text for text in colocations.get(node.name, ()) if op_of(text.decode()[len("loc:@"):]) in names]
        if places:
            del node.attr["_class"].list.s[:]
            node.attr["_class"].list.s.extend(places)


def devices(gpus):
    from tensorflow.core.protobuf import device_properties_pb2
    kind = device_properties_pb2.DeviceProperties
    found = [(CPU, kind(type="CPU", frequency=2000, num_cores=8, memory_size=1 << 36, bandwidth=50 * 10 ** 6))]
    for number, (memory, bandwidth, cores) in enumerate(gpus):
        found.append((GPU + str(number), kind(type="GPU", frequency=1000, num_cores=cores, memory_size=memory,
                                              bandwidth=bandwidth, environment={"architecture": "7.0"})))
    return [device_properties_pb2.NamedDevice(name=name, properties=properties) for name, properties in found]


def optimize(kind, data, fetches, gpus):
    """(what was taken out of collections, the message)"""
    from tensorflow.core.protobuf import config_pb2, meta_graph_pb2
    from tensorflow.python.grappler import cluster, tf_optimizer
    meta = meta_graph_pb2.MetaGraphDef()
    is_meta = kind == "MetaGraphDef"
    (meta if is_meta else meta.graph_def).ParseFromString(data)
    asked = meta_graph_pb2.MetaGraphDef()
    asked.CopyFrom(meta)
    names = {node.name for node in meta.graph_def.node}
    if is_meta:
        keep(asked, names)
    asked.collection_def["train_op"].Clear()
    asked.collection_def["train_op"].node_list.value.extend(fetches)
    before = place(asked.graph_def, gpus)
    colocations = {node.name: list(node.attr["_class"].list.s) for node in meta.graph_def.node if "_class" in node.attr}
    found = tf_optimizer.OptimizeGraph(config_pb2.ConfigProto(allow_soft_placement=True), asked, verbose=False,
                                       graph_id=b"tideline", cluster=cluster.Cluster(devices=devices(gpus)))
    take_back(found, before, colocations)
    if not is_meta:
        return [], found.SerializeToString()
    meta.graph_def.CopyFrom(found)
    lost = without_missing(meta, names, {node.name for node in found.node})
    return lost, meta.SerializeToString()


def main():
    content = read(struct.unpack("<QB", read(9))[0])
    parts, at = [], 0
    while at < len(content):
        size = struct.unpack_from("<Q", content, at)[0]
        parts.append(content[at + 8:at + 8 + size])
        at += 8 + size
    kind, data, fetches, gpus = parts
    try:
        from tensorflow.python.framework import versions
        lost, graph = optimize(kind.decode(), data, fetches.decode().split("\n"),
                               [tuple(map(int, line.split())) for line in gpus.decode().splitlines()])
        reply(0, ", ".join(lost), versions.__version__, graph)
    except Exception as problem:
        reply(1000 if isinstance(problem, ImportError) else 3, str(problem) or type(problem).__name__)


main()
