"""What a step is given: TensorSpecs, or arrays, tensors and data sets that say the same."""
import numpy
import tensorflow as tf2


class Specs(tuple):
    """Arguments with a TensorSpec in place of each tensor. `batch_size`: that of the data that they were taken from, None if
    of none."""
    batch_size = None


def specs_of(given):
    """Specs of `given`, a tuple of arguments: of arrays, tensors and data sets the first dimension is left open, because other
    batch sizes are tried; TensorSpecs are taken as they are, and so is whatever is neither. A single data set stands for
    the arguments that its elements are."""
    if len(given) == 1 and hasattr(given[0], "element_spec"):
        element = given[0].element_spec
        element = element if isinstance(element, tuple) else (element,)
        flat = tf2.nest.flatten(element)
        sizes = [_first(spec.shape) for spec in flat if hasattr(spec, "shape")] + [_batch_of(given[0])]
        return _made(tf2.nest.pack_sequence_as(element, [_opened(spec) for spec in flat]), sizes)
    flat = tf2.nest.flatten(given)
    sizes = [_first(value.shape) for value in flat if _is_value(value)]
    return _made(tf2.nest.pack_sequence_as(given, [_opened(value) if _is_value(value) else value for value in flat]), sizes)


def _batch_of(dataset):
    """The batch size of a data set whose elements do not say it, because the last may be smaller; None if it is not known."""
    while dataset is not None and not hasattr(dataset, "_batch_size"):
        dataset = getattr(dataset, "_input_dataset", None)
    size = getattr(dataset, "_batch_size", None)
    return int(size) if hasattr(size, "numpy") else None


def free_name(wanted, taken):
    """`wanted`, or with the first number under which `taken`, a set, does not have it; it is taken then."""
    name, number = wanted, 0
    while name in taken:
        number += 1
        name = "{}_{}".format(wanted, number)
    taken.add(name)
    return name


def _made(values, sizes):
    made = Specs(values)
    made.batch_size = next((size for size in sizes if size), None)
    return made


def _is_value(value):
    return isinstance(value, numpy.ndarray) or tf2.is_tensor(value) and not isinstance(value, tf2.Variable)


def _first(shape):
    dims = _dims(shape)
    return dims[0] if dims else None


def _dims(shape):
    """A list of sizes, None where one is not known; None for an unknown rank."""
    shape = tf2.TensorShape(shape)
    return None if shape.rank is None else shape.as_list()


def _opened(value):
    """The TensorSpec of a tensor or a spec of one, with an open first dimension; anything else as it is."""
    if not isinstance(value, (tf2.TensorSpec, numpy.ndarray)) and not tf2.is_tensor(value):
        return value
    dims = _dims(value.shape)
    name = value.name if isinstance(value, tf2.TensorSpec) else None
    return tf2.TensorSpec([None] + dims[1:] if dims else dims, tf2.as_dtype(value.dtype), name)
