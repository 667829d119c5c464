"""What optimize_test.py asks of a TensorFlow, as JSON.

    direct GRAPH FETCH GPUS   what TensorFlow's graph optimizer makes of a MetaGraph's graph: {name: [type, inputs]}
    ops GRAPH                 the same of a GraphDef
    train GRAPH FETCH         imports a MetaGraph, gives its variables values, runs the op once; the variables' sums
"""
import json
import sys

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import device_properties_pb2
from tensorflow.python.grappler import cluster, tf_optimizer

BATCH = 4


def read(path, message):
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    return message


def ops(graph):
    return {node.name: [node.op, list(node.input)] for node in graph.node}


def direct(path, fetch, gpus):
    meta = tf.MetaGraphDef()
    meta.graph_def.CopyFrom(read(path, tf.MetaGraphDef()).graph_def)
    meta.collection_def["train_op"].node_list.value.append(fetch)
    place = "/job:localhost/replica:0/task:0/device:"
    kind = device_properties_pb2.DeviceProperties
    devices = [(place + "CPU:0", kind(type="CPU", num_cores=8, frequency=2000, memory_size=1 << 36))]
    if int(gpus):
        devices.append((place + "GPU:0", kind(type="GPU", num_cores=122, frequency=1000, memory_size=1 << 34,
                                              bandwidth=900 * 10 ** 6, environment={"architecture": "7.0"})))
        for node in meta.graph_def.node:
            node.device = node.device or place + "GPU:0"
    named = [device_properties_pb2.NamedDevice(name=name, properties=found) for name, found in devices]
    return ops(tf_optimizer.OptimizeGraph(tf.ConfigProto(), meta, verbose=False, graph_id=b"direct",
                                          cluster=cluster.Cluster(devices=named)))


def fed(op):
    shape = tf.TensorShape(op.get_attr("shape"))
    shape = shape.as_list() if shape.rank else []
    return np.full([BATCH if size is None else size for size in shape], 0.5).astype(op.outputs[0].dtype.as_numpy_dtype)


def train(path, fetch):
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(path)
        feeds = {op.outputs[0]: fed(op) for op in graph.get_operations() if op.type == "Placeholder"}
        with tf.Session() as session:
            session.run([variable.initializer for variable in tf.global_variables()])
            for variable in tf.global_variables():  # the first values are random
                variable.load(np.full(variable.shape.as_list(), 0.01, variable.dtype.base_dtype.as_numpy_dtype), session)
            session.run(fetch, feeds)
            return {variable.name: float(np.sum(session.run(variable))) for variable in tf.global_variables()}


tf.disable_v2_behavior()
kind, *words = sys.argv[1:]
print(json.dumps({"direct": direct, "train": train, "ops": lambda path: ops(read(path, tf.GraphDef()))}[kind](*words)))
