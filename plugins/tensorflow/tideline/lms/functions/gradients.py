"""Gradients of one's own (tf.custom_gradient, tf.recompute_grad) in graphs that are imported.

TensorFlow keeps such a gradient as a Python function under the name in the op's attribute `_gradient_op_type`; it reads tensors of
the trace in which it was made. A copy of the trace gets a function that reads the copy's tensors instead, so that gradients are taken
through it, and a SavedModel can be made of it.
"""
import itertools
import weakref

import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2
from tensorflow.python.framework import func_graph, importer, ops

from .refusals import refuse

_KEY = "_gradient_op_type"
_number = itertools.count()


def read_copies(graph):
    """For the ops of `graph`, a copy of a trace. Where calls are inlined, ops of a body have the name of the call in front."""
    for op in graph.get_operations():
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
        names = [each.name for each in flat if each is not None]
        moved = iter(importer.import_graph_def(made.as_graph_def(), input_map=read, return_elements=names, name="gradient"))
        return tf.nest.pack_sequence_as(results, [None if each is None else next(moved) for each in flat])

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
