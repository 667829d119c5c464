"""The training step of a Keras model of graph mode: of TensorFlow 1, or of TensorFlow 2 without eager execution.

A second model is made from the configuration of the first, in a graph of its own, and Keras adds to that what it trains by.
Graph and session of the first are not touched.
"""
import contextlib
import sys

from .. import _export
from .._tensorflow import tf
from ..errors import UnsupportedGraph


def meta_graph(model, loss=None, optimizer=None):
    """The MetaGraphDef. Errors: tideline.UnsupportedGraph."""
    loss = getattr(model, "loss", None) if loss is None else loss
    optimizer = getattr(model, "optimizer", None) if optimizer is None else optimizer
    if optimizer is None or not loss:
        raise UnsupportedGraph("the model is not compiled: give loss= and optimizer=, or compile it")
    try:
        config = model.get_config()
        if not isinstance(optimizer, str):
            config_of_optimizer = _config(optimizer)
        with tf.Graph().as_default() as graph:
            made = type(model).from_config(config)
            if not isinstance(optimizer, str):
                optimizer = type(optimizer).from_config(config_of_optimizer)
            made.compile(optimizer, loss, loss_weights=getattr(model, "loss_weights", None))
            made._make_train_function()
            function = made.train_function
            tf.get_collection_ref("train_op")[:] = [function.updates_op] + [tensor.op for tensor in function.outputs]
    except Exception as problem:
        raise UnsupportedGraph("Keras cannot make '{}' anew from its configuration: {}: {}".format(
            model.name, type(problem).__name__, problem)) from problem
    return _export.meta_graph(graph)


def _config(optimizer):
    """The parameters of an optimizer. Keras asks its session for those that are variables; for the memory any number does, and a
    session that is asked would take over the graph as it is."""
    with contextlib.ExitStack() as stack:
        for module in {sys.modules.get(kind.__module__) for kind in type(optimizer).__mro__}:
            backend = getattr(module, "K", None) or getattr(module, "backend", None)
            if hasattr(backend, "get_value"):
                stack.callback(setattr, backend, "get_value", backend.get_value)
                backend.get_value = lambda _: 0.5
        return optimizer.get_config()
