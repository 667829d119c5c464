"""The graph of a ConcreteFunction as a MetaGraphDef, with what TensorFlow leaves out: what lies behind handles, and what a call
of it runs."""
import tensorflow as tf



def meta_graph(concrete):
    """Captured variables are Placeholders of type resource, with the types and shapes of their values; the collection train_op
    names the ops of results, and those that a call runs for their effects."""
    graph = concrete.graph
    meta = tf.compat.v1.MetaGraphDef()
    meta.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True))
    nodes = {node.name: node for node in meta.graph_def.node}
    for tensor in graph.inputs:
        data = handle_data(tensor)
        if tensor.dtype == tf.resource and data is not None:
            attributes = nodes[tensor.op.name].attr
            for content in data.shape_and_type:
                attributes["_handle_dtypes"].list.type.append(content.dtype)
                attributes["_handle_shapes"].list.shape.add().CopyFrom(content.shape)
    run = list(dict.fromkeys([tensor.op.name for tensor in graph.outputs] + [op.name for op in graph.control_outputs]))
    if run:
        meta.collection_def["train_op"].node_list.value.extend(run)
    return meta


def handle_data(tensor):
    """What TensorFlow knows of the values behind a handle (HandleData), None if nothing."""
    data = getattr(tensor, "_handle_data", None)
    return data if data is not None and data.is_set else None


def body_of_step(definition):
    """The name of the function that has the backward phase, None if the graph itself has it, or nothing has: the step may stand in
    a loop or a branch alone. A call to a function does not count, because what it is given and gives is swapped around it."""
    if _is_backward(definition.node):
        return None
    bodies = [function for function in definition.library.function if _is_backward(function.node_def)]
    return max(bodies, key=lambda function: len(function.node_def)).signature.name if bodies else None


def is_called(definition, name):
    """Whether a call, not a loop or a branch, runs the function: inlining opens it."""
    nodes = list(definition.node) + [node for function in definition.library.function for node in function.node_def]
    return any(node.op.endswith("PartitionedCall") and node.attr["f"].func.name == name for node in nodes)


def _is_backward(nodes):
    return any("gradient_tape/" in node.name for node in nodes)
