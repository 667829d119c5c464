"""The graph of a traced function as a MetaGraphDef: variables that it captured are variables there, and calls are inlined.

A function gets the handles of variables from outside, as inputs. Here each becomes a VarHandleOp with the shape of the variable
and its name, so that it counts as what it is. What the function updates is run by one op, for which a step is simulated.
"""
import re

import tensorflow as tf2
from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2
from tensorflow.python.grappler import tf_optimizer

from .. import _export
from .._tensorflow import tf
from ..errors import UnsupportedGraph
from . import specs

_TRAIN = "train_step"
_BESIDE = "loc:@"
_CALLS = ("PartitionedCall", "While")
_CONDITIONALS = ("If", "Case")


def is_function(model):
    """Whether it is a function of any kind. Keras models can be called, too: ask for these before."""
    return callable(model)


def traced(function, given):
    """The ConcreteFunction of a function for these arguments (specs.py), as TensorFlow itself traces it: variables that it
    makes in its first call are made. Nothing of it runs. Errors: tideline.UnsupportedGraph with what TensorFlow says."""
    if not hasattr(tf2, "function"):
        raise UnsupportedGraph("functions are traced by TensorFlow 2; this is {}: give the graph".format(tf2.__version__))
    if hasattr(function, "captured_inputs") and hasattr(function, "graph"):
        if given:
            raise TypeError("a ConcreteFunction has its arguments already: give no specs")
        return function
    if not hasattr(function, "get_concrete_function"):
        function = tf2.function(function)
    try:
        return function.get_concrete_function(*given)
    except Exception as problem:
        hint = "" if given else " (without specs of its arguments, such as tf.TensorSpec([None, 28, 28]))"
        raise UnsupportedGraph("TensorFlow cannot trace the function{}: {}".format(hint, problem)) from problem


def meta_graph(concrete, names=None):
    """The MetaGraphDef of a ConcreteFunction. `names`: of variables, by the id of their handle, where the variables have
    others than those that are wanted."""
    graph = concrete.graph
    definition = graph.as_graph_def()
    _name_variables(definition, _variables(graph, names or {}))
    fetches = _add_train_op(definition, graph)
    if not tf2.config.list_physical_devices("GPU"):
        _forget_this_machine(definition)
    if any(node.op.endswith(_CALLS) for node in definition.node):
        definition = _inlined(definition, fetches)
    with tf.Graph().as_default() as plain:
        tf.import_graph_def(definition, name="")
        for name in fetches:
            tf.add_to_collection("train_op", plain.get_operation_by_name(name))
    return _export.meta_graph(plain)


def _variables(graph, names):
    """{name of the input: (handle, name of the variable)} for the handles of variables among what the function captured."""
    known = {id(variable.handle): variable.name.partition(":")[0] for variable in graph.variables}
    known.update(names)
    return {inner.op.name: (handle, _in_scope(known.get(id(handle)) or inner.op.name, inner))
            for handle, inner in graph.captures if handle.dtype == tf.resource and _content(handle) is not None}


def _in_scope(name, inner):
    """The name of a variable in the scope of what reads it: 'model/conv1/kernel' for 'conv1/kernel' if 'model/conv1/Conv2D' does.
    Scopes are compared without the numbers that make them unique."""
    *own, last = name.split("/")
    plain = lambda parts: [re.sub(r"_\d+$", "", part) for part in parts]
    for reader in inner.consumers():
        scopes = reader.name.split("/")[:-1]
        for begin in range(len(scopes) - len(own) + 1) if own else ():
            if plain(scopes[begin:begin + len(own)]) == plain(own):
                return "/".join(scopes[:begin + len(own)] + [last])
    return name


def _content(handle):
    """The shape and type of what is behind the handle of a variable; None for tables and iterators."""
    data = getattr(handle, "_handle_data", None)
    return data.shape_and_type[0] if data is not None and data.is_set and data.shape_and_type else None


def _name_variables(definition, variables):
    """Makes inputs variables. `variables`: as _variables gives them."""
    taken = {node.name for node in definition.node} - set(variables)
    new = {}
    for name, (_, wanted) in variables.items():
        new[name] = specs.free_name(wanted, taken)
    for node in definition.node:
        if node.name in variables:
            content = _content(variables[node.name][0])
            node.op, node.name = "VarHandleOp", new[node.name]
            node.attr.clear()
            node.attr["dtype"].type = content.dtype
            node.attr["shape"].shape.CopyFrom(content.shape)
            node.attr["shared_name"].s = node.name.encode("utf-8")
        places = node.attr["_class"].list.s if "_class" in node.attr else []
        for at, place in enumerate(places):
            op = place.decode("utf-8")[len(_BESIDE):]
            places[at] = (_BESIDE + new.get(op, op)).encode("utf-8")
        for at, read in enumerate(node.input):
            op, colon, slot = read.lstrip("^").partition(":")
            if op in new:
                node.input[at] = ("^" if read[0] == "^" else "") + new[op] + colon + slot


def _forget_this_machine(definition):
    """Variables lie on the CPU where there is no GPU, and TensorFlow puts ops beside them, by whole names of devices. Those that a
    program asks for are short."""
    for nodes in _node_lists(definition):
        for node in nodes:
            if node.device.startswith("/job:localhost/"):
                node.device = ""


def _node_lists(definition):
    return [definition.node] + [function.node_def for function in definition.library.function]


def _add_train_op(definition, graph):
    """The names of the ops that a call runs: the one that waits for all updates, which is added, and those of its results."""
    results = [tensor.op.name for tensor in graph.outputs if tensor.dtype != tf.resource]
    updates = [op.name for op in graph.control_outputs if op.type not in ("Assert", "NoOp") and op.name not in results]
    if updates:
        name = specs.free_name(_TRAIN, {node.name for node in definition.node})
        definition.node.add(name=name, op="NoOp", input=["^" + update for update in updates])
        results.insert(0, name)
    return list(dict.fromkeys(results))


def _inlined(definition, fetches):
    """The same graph without calls of functions, by the optimizer of TensorFlow. Loops are then as they run. Conditionals stay
    single ops: a merge waits for the updates of both branches, also of the one that is not taken."""
    for function in definition.library.function:  # an LSTM has a body for each kind of device, chosen while it runs
        function.attr.pop("api_implements", None)
    for nodes in _node_lists(definition):
        for node in nodes:
            if node.op.endswith(_CONDITIONALS):
                node.attr.pop("_lower_using_switch_merge", None)
    with tf.Graph().as_default():
        tf.import_graph_def(definition, name="")
        meta = tf.train.export_meta_graph()
    meta.collection_def["train_op"].node_list.value.extend(fetches)
    config = config_pb2.ConfigProto()
    options = config.graph_options.rewrite_options
    options.min_graph_nodes = -1
    options.optimizers.append("function")
    options.function_optimization = rewriter_config_pb2.RewriterConfig.AGGRESSIVE
    return tf_optimizer.OptimizeGraph(config, meta)
