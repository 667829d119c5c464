"""A live graph as a MetaGraphDef: ops with the shapes that TensorFlow knows, and the collections that rewriters look at."""
from tensorflow.core.framework.variable_pb2 import VariableDef

from ._tensorflow import editable, tf


def meta_graph(graph=None):
    """Same graph, same bytes, when serialised with deterministic=True. Collections: those of variables, and those of ops
    and tensors alone (train_op, update_ops, losses, ...). Cost: that of TensorFlow's as_graph_def(add_shapes=True)."""
    graph = editable(graph)
    meta = tf.MetaGraphDef()
    meta.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True))
    for key in sorted(graph.get_all_collection_keys(), key=str):
        if isinstance(key, str):
            _add_collection(meta.collection_def, key, graph.get_collection_ref(key))
    return meta


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
