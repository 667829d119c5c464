"""Features and labels of a model function: the tensors that are split over the towers."""
import numbers

import numpy as np

from .._tensorflow import tf


def prepare(features, labels, towers):
    """(features, labels, what to split, as replicate_graph takes it). A tensor whose batch size is fixed is hidden behind one
    whose batch size is open, because constants of the model would depend on it; so are the tensors of a SparseTensor. What is
    given twice is split once. Errors: ValueError for what cannot be split equally."""
    split, known = [], set()

    def add(tensors):
        if tensors[0].name not in known:
            known.add(tensors[0].name)
            split.append(tensors if len(tensors) > 1 else tensors[0])

    def prepared(what, value):
        if value is None:
            return None
        if isinstance(value, dict):
            return type(value)((key, prepared("{}['{}']".format(what, key), part)) for key, part in value.items())
        if isinstance(value, tf.SparseTensor):
            value = _open_sparse(value)
            add((value.indices, value.values, value.dense_shape))
            return value
        if _is_structure(value):
            parts = [prepared("{}[{}]".format(what, at), part) for at, part in enumerate(value)]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        value = _open(what, value, towers)
        add((value,))
        return value

    with tf.name_scope("split_inputs"):
        return prepared("features", features), prepared("labels", labels), split


def _is_structure(value):
    """Whether it is a tuple or list of features. A list of numbers or texts is a tensor."""
    return isinstance(value, (list, tuple)) and (hasattr(value, "_fields") or not _is_literal(value))


def _is_literal(value):
    if isinstance(value, (list, tuple)):
        return all(map(_is_literal, value))
    return isinstance(value, (numbers.Number, str, bytes, np.generic))


def _open(what, value, towers):
    tensor = tf.convert_to_tensor(value)
    shape = tensor.shape
    if shape.ndims is None:
        return tensor
    if shape.ndims == 0:
        raise ValueError("{} ('{}') is a scalar; expected a batch as first dimension".format(what, tensor.name))
    batch = shape.as_list()[0]
    if batch is None:
        return tensor
    if batch % towers:
        raise ValueError("{} ('{}') has {} examples, which cannot be divided among {} devices".format(
            what, tensor.name, batch, towers))
    # Called as in the original, in whose model functions it is the result of a split.
    return tf.placeholder_with_default(tensor, [None] + shape.as_list()[1:], "split")


def _open_sparse(value):
    """The same with tensors whose values and number of entries no constant of the model depends on."""
    rank = value.dense_shape.shape.as_list()[0] if value.dense_shape.shape.ndims else None
    return tf.SparseTensor(tf.placeholder_with_default(value.indices, [None, rank], "split/indices"),
                           tf.placeholder_with_default(value.values, [None], "split/values"),
                           tf.placeholder_with_default(value.dense_shape, [rank], "split/shape"))
