"""ConcreteFunctions with the ops of a plan, and the arguments, results, captures, control outputs and attributes of a trace.

A trace that nobody else has is edited in place, as live graphs are. One that is the user's stays as it is: its graph is imported
into another, as is one whose calls are inlined or in whose bodies something changes. `function_from_graph_def` is no way to do
that: it loses functions without results, and what lies behind handles.
"""
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function import concrete_function
from tensorflow.python.framework import func_graph, importer

from ..._edit import Edit
from ..._to_the_end import to_the_end
from . import gradients, names
from .export import handle_data


def in_place(concrete, plan, definition):
    """`concrete` must have no other owner: it is of no use afterwards, also on an error, which leaves it with ops that nothing reads.
    `definition`: its GraphDef, for which the plan was made."""
    edit = Edit(concrete.graph, {node.name: node for node in definition.node})
    to_the_end(lambda: _all_or_nothing(edit, plan))
    if concrete._garbage_collector is not None:
        concrete._garbage_collector.release()  # else its end takes the graph apart, which lives on
    return _function_of(concrete.graph, concrete)


def _all_or_nothing(edit, plan):
    try:
        edit.apply(plan)
    except BaseException:
        edit.undo()
        raise


def imported(concrete, definition):
    """`definition`: a GraphDef with at least the ops of the trace's arguments, results and control outputs. Names of its functions
    are changed."""
    names.drop_unused(definition)
    names.make_fresh(definition)
    old = concrete.graph
    new = func_graph.FuncGraph(old.name + "_tideline", collections={})
    names.add_while_alive(new, definition.library.function)
    with new.as_default(), tf.control_dependencies(None):
        importer.import_graph_def(definition, name="")
    _take_over(old, new)
    gradients.take_over(old, new)
    return _function_of(new, concrete)


def _take_over(old, new):
    def counterpart(tensor):
        made = new.get_tensor_by_name(tensor.name)
        if tensor.dtype in (tf.resource, tf.variant) and handle_data(tensor) is not None:
            made._handle_data = tensor._handle_data
        return made

    new.inputs = [counterpart(tensor) for tensor in old.inputs]
    new.outputs = [counterpart(tensor) for tensor in old.outputs]
    new.structured_outputs = tf.nest.map_structure(
        lambda item: counterpart(item) if isinstance(item, tf.Tensor) else item, old.structured_outputs, expand_composites=True)
    new.structured_input_signature = old.structured_input_signature
    new.control_outputs = [new.get_operation_by_name(op.name) for op in old.control_outputs]
    for external, internal in old.captures:
        new._function_captures.add_or_replace(key=id(external), external=external, internal=counterpart(internal))
    new.variables = old.variables
    new.seed = old.seed


def _function_of(graph, concrete):
    inference = getattr(concrete, "inference_fn", None) or concrete._inference_function
    made = concrete_function.ConcreteFunction.from_func_graph(graph, concrete.function_type,
                                                              dict(getattr(inference, "attributes", None) or {}))
    for name in ("_arg_keywords", "_num_positional_args"):  # by which tensors alone can be given
        if getattr(concrete, name, None) is not None:
            setattr(made, name, getattr(concrete, name))
    return made
