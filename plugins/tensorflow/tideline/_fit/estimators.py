"""The training step of an Estimator, built as `train` builds it, without a session."""
from .. import _export
from .._tensorflow import tf
from ..errors import UnsupportedGraph


def is_estimator(model):
    return any(kind.__name__ in ("Estimator", "EstimatorV2") for kind in type(model).__mro__)


def meta_graph(estimator, given):
    """The MetaGraphDef. `given`: the input_fn that `train` is given, alone. Errors: tideline.UnsupportedGraph with what the
    input_fn or the model_fn says."""
    if len(given) != 1 or not callable(given[0]):
        raise TypeError("of an Estimator, give the input_fn that trains it: tideline.fit(estimator, input_fn)")
    train = tf.estimator.ModeKeys.TRAIN
    with tf.Graph().as_default() as graph:
        try:
            tf.train.create_global_step(graph)
            features, labels, _ = estimator._get_features_and_labels_from_input_fn(given[0], train)
            spec = estimator._call_model_fn(features, labels, train, estimator.config)
        except Exception as problem:
            raise UnsupportedGraph("the Estimator builds no training step: {}: {}".format(
                type(problem).__name__, problem)) from problem
        tf.get_collection_ref("train_op")[:] = [spec.train_op]
        return _export.meta_graph(graph)
