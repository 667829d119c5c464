"""The training step in whatever a program has: a model, a function, an Estimator, a graph, or a file."""
import contextlib
import os

from .. import _live
from ..errors import UnsupportedGraph


# What `tideline fit` is asked about: the path of a file or a MetaGraphDef, the other is None; `batch_size`: that of the data
# that the step was traced with, None if none.
class Step:
    def __init__(self, path=None, meta_graph=None, batch_size=None):
        self.path, self.meta_graph, self.batch_size = path, meta_graph, batch_size

    @contextlib.contextmanager
    def file(self):
        """A context: the path of a file that has the graph."""
        if self.path is not None:
            yield self.path
        else:
            with _live.written(self.meta_graph) as path:
                yield path


def step_of(model, given, loss=None, optimizer=None):
    """The step of `model`, as tideline.fit describes it. Errors: tideline.UnsupportedGraph; TypeError for arguments that what it
    is has no use for."""
    if isinstance(model, (str, bytes, os.PathLike)):
        _refuse(given, loss, optimizer, "a path")
        return Step(path=os.fsdecode(model))
    from .._tensorflow import tf
    from . import estimators, functions, graph_keras, keras
    if keras.is_of_graph_mode(model):
        _refuse(given, None, None, "a Keras model in graph mode")
        return Step(meta_graph=graph_keras.meta_graph(model, loss, optimizer))
    if keras.is_model(model):
        return Step(None, *keras.traced(model, given, loss, optimizer))
    _refuse((), loss, optimizer, "anything but a Keras model")
    if estimators.is_estimator(model):
        return Step(meta_graph=estimators.meta_graph(model, given))
    if functions.is_function(model):
        from . import specs
        given = specs.specs_of(given)
        return Step(None, functions.meta_graph(functions.traced(model, given)), given.batch_size)
    _refuse(given, None, None, "a graph")
    if model is None and tf.executing_eagerly():
        raise UnsupportedGraph("eager code has no graph: give a model, or a function with what it is called with")
    return Step(meta_graph=_live.export(model))


def _refuse(given, loss, optimizer, what):
    for name, value in (("specs", given), ("loss", loss), ("optimizer", optimizer)):
        if value is not None and value != ():
            raise TypeError("{}: not for {}".format(name, what))
