"""TensorFlow's API of version 1, under which both supported versions (1.13 and 2.15) have it, and which graph is meant."""
import tensorflow.compat.v1 as tf

from .errors import UnsupportedGraph

_INSTEAD = ("Train through rewritten functions: tideline.lms.apply(model, ...) for Keras, tideline.lms.rewrite_function(step, ...) for "
            "a tf.function. Or build the model inside `with tf.Graph().as_default():` and run it in a "
            "tf.compat.v1.Session, call tf.compat.v1.disable_eager_execution() first (Keras then trains in graph mode), or write "
            "a SavedModel and use `tideline rewrite --function`")


def editable(graph=None):
    """`graph`, or the default graph. Errors: UnsupportedGraph for eager code and the graph of a tf.function."""
    if graph is None:
        if tf.executing_eagerly():
            raise UnsupportedGraph("eager code has no graph that could be edited. " + _INSTEAD)
        graph = tf.get_default_graph()
    if not isinstance(graph, tf.Graph):
        raise TypeError("expected a tf.Graph, not {}".format(type(graph).__name__))
    if hasattr(graph, "outer_graph"):
        raise UnsupportedGraph("the graph of a tf.function cannot be edited once it was traced. " + _INSTEAD)
    return graph


def op_of(element):
    """The op that a tensor is of; an op itself."""
    return element if isinstance(element, tf.Operation) else element.op


def read_by(op):
    """The ops that an op reads or waits for."""
    return [tensor.op for tensor in op.inputs] + list(op.control_inputs)


def reached(first, following):
    """`first`, and all that `following`, a function that gives a list, leads to from there."""
    found, left = set(), list(first)
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += following(one)
    return found
