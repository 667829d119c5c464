"""Restores variables that the ops cannot reach: the ops run on a CPU, and get variables in the memory of that CPU alone.

A variable on a GPU, on another device of the process or with copies on several devices is loaded into a variable of its
type and shape beside the ops, which is gone afterwards, and assigned from there. All are loaded in one op with those that
the ops reach, so that it is still all of them, or none. It costs the memory of these variables on the host meanwhile.
"""
import collections

import tensorflow as tf
from tensorflow.python.eager import context

# What a graph tells of the variable behind a value.
Behind = collections.namedtuple("Behind", "handle dtype shape device")


def needs_copy(variable, home):
    """Whether `variable` cannot be filled where it lies, by an op on the device `home`."""
    if isinstance(variable, tf.distribute.DistributedValues):
        return True
    return bool(variable.device) and _normal(variable.device) != _normal(home)


def home_of(variables):
    """The device of the op: where the first variable on a CPU is, else the first CPU. '' where TensorFlow decides."""
    for variable in variables:
        if isinstance(variable, tf.distribute.DistributedValues):
            continue
        if not variable.device or tf.DeviceSpec.from_string(variable.device).device_type == "CPU":
            return variable.device
    return "/device:CPU:0"


def scratch(variable, home):
    """A variable without a value, of the type and shape of `variable`, on `home`. TensorFlow gives it no name, and frees it
    with the last that refers to it; in a graph it is another in each run."""
    with tf.device(home):
        return tf.raw_ops.VarHandleOp(dtype=variable.dtype.base_dtype, shape=variable.shape,
                                      shared_name=context.anonymous_name())


def assign(variables, scratches):
    """Gives each the value that was loaded for it. In a graph it is an op, for after the load."""
    done = []
    for variable, handle in zip(variables, scratches):
        value = tf.raw_ops.ReadVariableOp(resource=handle, dtype=variable.dtype.base_dtype)
        value.set_shape(variable.shape)
        if hasattr(variable, "assign"):
            done.append(variable.assign(value, read_value=False))
        else:  # the handle behind a value in a graph
            done.append(tf.raw_ops.AssignVariableOp(resource=variable.handle, value=value))
    return None if tf.executing_eagerly() else tf.group(*done)


def _normal(device):
    """The name with all that it leaves out: another way to write it is no other device."""
    given = tf.DeviceSpec.from_string(device)
    return given.replace(job=given.job or "localhost", replica=given.replica or 0, task=given.task or 0,
                         device_type=given.device_type or "CPU", device_index=given.device_index or 0)
