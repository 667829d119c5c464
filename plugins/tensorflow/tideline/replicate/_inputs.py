"""Features and labels of a model function: the tensors that are split over the towers."""
from .._tensorflow import tf


def prepare(features, labels, towers):
    """(features, labels, tensors to split). A tensor whose batch size is fixed is hidden behind one whose batch size is open,
    because constants of the model would depend on it. Errors: ValueError for what cannot be split equally."""
    tensors = []

    def prepared(what, value):
        if value is None:
            return None
        if isinstance(value, dict):
            return type(value)((key, prepared("{}['{}']".format(what, key), part)) for key, part in value.items())
        if isinstance(value, (list, tuple)):
            parts = [prepared("{}[{}]".format(what, at), part) for at, part in enumerate(value)]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        tensors.append(_open(what, value, towers))
        return tensors[-1]

    return prepared("features", features), prepared("labels", labels), tensors


def _open(what, value, towers):
    if isinstance(value, tf.SparseTensor):
        raise ValueError("{} is a SparseTensor, which cannot be split; expected a dense tensor".format(what))
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
    return tf.placeholder_with_default(tensor, [None] + shape.as_list()[1:], "batch")
