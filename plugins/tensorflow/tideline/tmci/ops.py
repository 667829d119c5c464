"""The ops: tensors and variables, one by one.

checkpoint(tensors, backend, config="")  saves values, variables without a copy.
restore(tensors, backend, config="")     fills variables: all of them, or none when it fails. Those on a GPU or another
                                         device than the op's CPU are loaded on the host, and assigned.

`names` say which tensor is which; without them it is the position. `step` is the step of training; backends put it
where their configuration says, and without it load the latest. `library` has all ops as TensorFlow generates them, also
save and load (tmci_save, tmci_load), which have the inputs and outputs of SaveV2 and RestoreV2.
"""
import numpy
import tensorflow as tf

from . import _elsewhere, _host

library = _host.library


def checkpoint(tensors, backend, config="", names=(), step=None, name=None):
    given = dict(tensors=list(tensors), backend=backend, config=config, names=list(names), name=name)
    if step is None:
        return _in_order(library.tmci_checkpoint, given)
    return _in_order(library.tmci_checkpoint_step, dict(given, step=_number(step)))


def restore(tensors, backend, config="", names=(), step=None, name=None):
    variables = [_variable(tensor, position) for position, tensor in enumerate(tensors)]
    home = _elsewhere.home_of(variables)
    far = [variable for variable in variables if _elsewhere.needs_copy(variable, home)]
    copies = {id(variable): _elsewhere.scratch(variable, home) for variable in far}
    given = dict(handles=[copies[id(each)] if id(each) in copies else each.handle for each in variables],
                 dtypes=[variable.dtype.base_dtype for variable in variables],
                 backend=backend, config=config, names=list(names), name=name)
    make = library.tmci_restore_variables
    if step is not None:
        make, given["step"] = library.tmci_restore_variables_step, _number(step)

    def fill(**given):
        loaded = make(**given)
        if not far:
            return loaded
        with tf.control_dependencies([] if loaded is None else [loaded]):
            return _elsewhere.assign(far, [copies[id(variable)] for variable in far])

    return _in_order(fill, given)


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


def _variable(tensor, position):
    """The variable behind what is to be restored: a value has no memory that one may write into."""
    if isinstance(tensor, tf.distribute.DistributedValues):
        return tensor
    handle = getattr(tensor, "handle", None)
    if handle is not None and handle.dtype == tf.resource:
        return tensor
    if not tf.executing_eagerly() and isinstance(tensor, tf.Tensor):
        op = tensor.op
        while op.type == "Identity":
            op = op.inputs[0].op
        if op.type == "ReadVariableOp":
            handle = op.inputs[0]
            return _elsewhere.Behind(handle, tensor.dtype, tensor.shape, handle.device)
    raise TypeError(f"tensors[{position}] is {type(tensor).__name__}; expected a tf.Variable: the value of anything "
                    "else cannot change")
