"""The ops: tensors and variables, one by one.

checkpoint(tensors, backend, config="")  saves values, variables without a copy.
restore(tensors, backend, config="")     fills variables: all of them, or none when it fails.

`names` say which tensor is which; without them it is the position. `step` is the step of training; backends put it
where their configuration says, and without it load the latest. `library` has all ops as TensorFlow generates them, also
save and load (tmci_save, tmci_load), which have the inputs and outputs of SaveV2 and RestoreV2.
"""
import numpy
import tensorflow as tf

from . import _host

library = _host.library


def checkpoint(tensors, backend, config="", names=(), step=None, name=None):
    given = dict(tensors=list(tensors), backend=backend, config=config, names=list(names), name=name)
    if step is None:
        return _in_order(library.tmci_checkpoint, given)
    return _in_order(library.tmci_checkpoint_step, dict(given, step=_number(step)))


def restore(tensors, backend, config="", names=(), step=None, name=None):
    given = dict(handles=[_handle(tensor, position) for position, tensor in enumerate(tensors)],
                 dtypes=[tensor.dtype.base_dtype for tensor in tensors],
                 backend=backend, config=config, names=list(names), name=name)
    if step is None:
        return _in_order(library.tmci_restore_variables, given)
    return _in_order(library.tmci_restore_variables_step, dict(given, step=_number(step)))


def _in_order(make, given):
    """In a tf.function one after the other: TensorFlow sees no variable that saving and loading have in common. (In a
    graph for sessions it is the program that says what runs.)"""
    graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
    if not hasattr(graph, "outer_graph"):
        return make(**given)
    last = getattr(graph, "_tideline_last_op", None)
    with tf.control_dependencies([] if last is None else [last]):
        graph._tideline_last_op = make(**given)
    return graph._tideline_last_op


def _number(step):
    # From an array, because TensorFlow keeps the tensor of every number that Python gives it.
    return step if tf.is_tensor(step) else tf.constant(numpy.array(step, numpy.int64))


def _handle(tensor, position):
    """The variable behind what is to be restored: a value has no memory that one may write into."""
    handle = getattr(tensor, "handle", None)
    if handle is not None and handle.dtype == tf.resource:
        return handle
    if not tf.executing_eagerly() and isinstance(tensor, tf.Tensor):
        op = tensor.op
        while op.type == "Identity":
            op = op.inputs[0].op
        if op.type == "ReadVariableOp":
            return op.inputs[0]
    raise TypeError(f"tensors[{position}] is {type(tensor).__name__}; expected a tf.Variable: the value of anything "
                    "else cannot change")
