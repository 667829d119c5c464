"""EstimatorSpecs of replicated graphs."""
import re

from .._tensorflow import tf
from ..errors import UnsupportedGraph


def metrics_of(spec):
    """{name for the executable: (name of the user, value, update)}"""
    found = {}
    for name, metric in (spec.eval_metric_ops or {}).items():
        value, update = metric if isinstance(metric, tuple) else (metric.result(), metric.updates[0])
        found[_free("metric", name, found)] = (name, value, update)
    return found


class Results(object):
    """The predictions and export outputs of a spec, as tensors under keys for the executable, and back."""

    def __init__(self, spec):
        self.tensors = {}
        self._spec = spec
        self._keys = {}  # by name of tensor
        if isinstance(spec.predictions, dict):
            for key, tensor in spec.predictions.items():
                self._add(key, tensor)
        elif spec.predictions is not None:
            self._add("predictions", spec.predictions)
        for name, output in (spec.export_outputs or {}).items():
            for key, tensor in _tensors_of(output):
                self._add("{}/{}".format(name, key), tensor)

    def replaced(self, of_key):
        """The spec with other tensors. `of_key`: key -> tensor."""
        def other(tensor):
            return None if tensor is None else of_key(self._keys[tensor.name])

        predictions = self._spec.predictions
        if isinstance(predictions, dict):
            predictions = {key: other(tensor) for key, tensor in predictions.items()}
        elif predictions is not None:
            predictions = other(predictions)
        outputs = self._spec.export_outputs
        if outputs is not None:
            outputs = {name: _with_tensors(output, other) for name, output in outputs.items()}
        return self._spec._replace(predictions=predictions, export_outputs=outputs)

    def _add(self, key, tensor):
        if tensor.name not in self._keys:
            self._keys[tensor.name] = _free("prediction", key, self.tensors)
            self.tensors[self._keys[tensor.name]] = tensor


def _free(kind, name, taken):
    """`name` itself if it can be the name of an op that no other has."""
    if re.match(r"^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$", name) and name not in taken:
        return name
    return "{}_{}".format(kind, len(taken))


def _tensors_of(output):
    export = tf.estimator.export
    if isinstance(output, export.PredictOutput):
        return [(str(key), tensor) for key, tensor in output.outputs.items()]
    if isinstance(output, export.RegressionOutput):
        return [("value", output.value)]
    if isinstance(output, export.ClassificationOutput):
        return [(key, tensor) for key, tensor in (("scores", output.scores), ("classes", output.classes))
                if tensor is not None]
    raise UnsupportedGraph("export output of type {}; expected PredictOutput, RegressionOutput or ClassificationOutput".format(
        type(output).__name__))


def _with_tensors(output, other):
    export = tf.estimator.export
    if isinstance(output, export.PredictOutput):
        return export.PredictOutput({key: other(tensor) for key, tensor in output.outputs.items()})
    if isinstance(output, export.RegressionOutput):
        return export.RegressionOutput(other(output.value))
    return export.ClassificationOutput(other(output.scores), other(output.classes))
