"""Gradients that are Python functions, in graphs that are imported.

Of a call TensorFlow keeps the gradient in an attribute of the Python object that is the op; of tf.custom_gradient and tf.recompute_grad
under the name in the op's attribute `_gradient_op_type`. The latter reads tensors of the trace in which it was made: a copy of the
trace gets a function that reads the copy's tensors instead, so that gradients are taken through it, and a SavedModel can be made of it.
"""
import itertools
import weakref

import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import func_graph, importer, ops

from .refusals import refuse

_KEY = "_gradient_op_type"
_number = itertools.count()


def take_over(old, new):
    """For the ops of `new`, a copy of `old`. Where calls are inlined, ops of a body have the name of the call in front."""
    for op in old.get_operations():
        if op._gradient_function is not None:
            copy = new.get_operation_by_name(op.name)
            if copy.type == op.type:  # not inlined
                copy._gradient_function = op._gradient_function
    for op in new.get_operations():
        try:
            kind = op.get_attr(_KEY).decode("utf-8")
            original = ops.gradient_registry.lookup(kind)
        except (ValueError, LookupError):
            continue
        fresh = "{}_tideline_{}".format(kind, next(_number))
        tf.RegisterGradient(fresh)(_Moved(original, op, kind))
        op._set_attr(_KEY, attr_value_pb2.AttrValue(s=fresh.encode("utf-8")))


class _Moved:
    """The gradient function `original` for its op's copy, `op`."""

    def __init__(self, original, op, kind):
        self._original, self._kind = original, kind
        self._graph, self._name = weakref.ref(op.graph), op.name  # TensorFlow keeps what is registered for ever

    def __call__(self, op, *above):
        made = func_graph.FuncGraph("gradient")
        with made.as_default():
            given = [None if each is None else tf.compat.v1.placeholder(each.dtype, each.shape) for each in above]
            results = self._original(op, *given)
        flat = tf.nest.flatten(results)
        read = {inner.name: _here(self._counterpart(outer)) for outer, inner in made.captures}
        read.update((inner.name, each) for inner, each in zip(given, above) if inner is not None)
        names = [each.name for each in flat if each is not None and each.name not in read]
        definition = made.as_graph_def()
        waited = {word for node in definition.node for word in node.input if word.startswith("^")}
        mapped = dict(read, **{"^" + name[:-2]: tensor for name, tensor in read.items() if "^" + name[:-2] in waited})
        read.update(zip(names, importer.import_graph_def(definition, input_map=mapped, return_elements=names, name="gradient")))
        return tf.nest.pack_sequence_as(results, [None if each is None else read[each.name] for each in flat])

    def _counterpart(self, outer):
        """What the copy has for a tensor of the trace, or of a body that was inlined; variables and constants are their own."""
        if isinstance(outer, ops.EagerTensor):
            return outer
        before = next((op.name for op in outer.graph.get_operations() if _kind_of(op) == self._kind), None)
        if before is not None and self._name.endswith(before):
            name = self._name[:len(self._name) - len(before)] + outer.name
            try:
                return self._graph().get_tensor_by_name(name)
            except (KeyError, ValueError):
                pass
        refuse("the gradient of '{}' is a Python function that reads '{}', which this graph does not have; expected a function without "
               "inlined calls".format(self._name, outer.name))


def _kind_of(op):
    try:
        return op.get_attr(_KEY).decode("utf-8")
    except ValueError:
        return None


def _here(tensor):
    graph = tf.compat.v1.get_default_graph()
    return graph.capture(tensor) if isinstance(graph, func_graph.FuncGraph) else tensor
