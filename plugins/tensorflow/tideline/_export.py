"""A live graph as a MetaGraphDef: ops with the shapes that TensorFlow knows, and the collections that rewriters look at."""
from tensorflow.core.framework.variable_pb2 import VariableDef

from ._tensorflow import editable, reached, tf

_VARIABLES = ("variables", "trainable_variables", "local_variables", "model_variables", "moving_average_variables")


def meta_graph(graph=None):
    """Same graph, same bytes, when serialised with deterministic=True. Collections: those of variables, and those of ops
    and tensors alone (train_op, update_ops, losses, ...). Cost: that of TensorFlow's as_graph_def(add_shapes=True)."""
    graph = editable(graph)
    meta = tf.MetaGraphDef()
    meta.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True))
    with graph.as_default():  # variables that are resources say nothing of themselves to eager code
        for key in sorted(graph.get_all_collection_keys(), key=str):
            if isinstance(key, str):
                _add_collection(meta.collection_def, key, graph.get_collection_ref(key))
    return meta


def step(meta, fetches):
    """(part, names): the MetaGraphDef with only the ops that `fetches` (names) are or depend on; as it is without any. Ops that
    an edit of another step has added are ops like others there: under other names, by which `names` has the true ones."""
    if not fetches:
        return meta, {}
    by_name = {node.name: node for node in meta.graph_def.node}
    reads = lambda name: [_op(read) for read in by_name[name].input]
    needed = reached(fetches, reads)
    for variable in _variables(meta):  # with what initialises them, which a collection of variables names
        if _op(variable.variable_name) in needed:
            needed |= reached([_op(name) for name in _names_in(variable)], reads)
    names = {name: name.replace("lms/swap", "lms_swap") for name in needed if "lms/swap" in name}
    part = tf.MetaGraphDef()
    part.CopyFrom(meta)
    del part.graph_def.node[:]
    for node in meta.graph_def.node:
        if node.name in needed:
            copy = part.graph_def.node.add()
            copy.CopyFrom(node)
            copy.name = names.get(node.name, node.name)
            for at, read in enumerate(node.input):
                if _op(read) in names:
                    copy.input[at] = read.replace(_op(read), names[_op(read)])
    for key, collection in meta.collection_def.items():
        if collection.HasField("node_list"):
            there = [name for name in collection.node_list.value if _op(name) in needed]
            part.collection_def[key].node_list.value[:] = there
        if key in _VARIABLES:
            there = [value for value in collection.bytes_list.value
                     if all(_op(name) in needed for name in _names_in(VariableDef.FromString(value)))]
            part.collection_def[key].bytes_list.value[:] = there
    return part, {other: name for name, other in names.items()}


def _variables(meta):
    return [VariableDef.FromString(value) for key in _VARIABLES if key in meta.collection_def
            for value in meta.collection_def[key].bytes_list.value]


def _names_in(variable):
    return [name for name in (variable.variable_name, variable.initializer_name, variable.snapshot_name,
                              variable.initial_value_name) if name]


def _op(name):
    return name.lstrip("^").partition(":")[0]


def _add_collection(collections, key, items):
    if not items:
        return
    if all(isinstance(item, (tf.Operation, tf.Tensor)) for item in items):
        collections[key].node_list.value.extend(item.name for item in items)
        return
    variables = [_variable(item) for item in items]
    if None not in variables:
        collections[key].bytes_list.value.extend(variables)


def _variable(item):
    """The encoded VariableDef of a variable; None for anything else, and for variables that have none."""
    try:
        definition = item.to_proto()
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return None
    return definition.SerializeToString(deterministic=True) if isinstance(definition, VariableDef) else None
