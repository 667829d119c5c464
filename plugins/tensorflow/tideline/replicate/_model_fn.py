"""Model functions of Estimators that train, evaluate and predict on several devices."""
import functools
import inspect

from tensorflow.python.client import device_lib

from .._tensorflow import op_of, tf
from . import _inputs, _specs, _task
from .graphs import replicate_graph

_SUM = tf.losses.Reduction.SUM
_MODES = (tf.estimator.ModeKeys.TRAIN, tf.estimator.ModeKeys.EVAL, tf.estimator.ModeKeys.PREDICT)


def replicate_model_fn(model_fn, optimizer_fn=None, devices=None, loss_reduction=_SUM):
    """A model function that does what `model_fn` does with a tower on each of `devices`, by default on all local GPUs, or the
    CPU. In training, an optimizer of `optimizer_fn`, which may take `params`, trains all trainable variables and runs UPDATE_OPS;
    without optimizer_fn the train_op of the model does. The batch must be divisible by the number of devices.

    loss_reduction SUM: loss and gradients are the sums over the towers, as in the original; any other: their means, which
    for losses that are means is what one device computes. Like the later original, it may be the second argument.

    Under TF_CONFIG, in tf.estimator.train_and_evaluate, every task trains with towers on these devices of its own, and variables
    are where its RunConfig puts them, on the job ps.

    The spec has the loss of all towers; in evaluation metrics of the whole batch; in prediction predictions and export
    outputs of the whole batch. All else is the first tower's. Errors: ValueError for a batch that cannot be divided, and for
    devices of other tasks; tideline.UnsupportedGraph where a strategy of tf.distribute copies the model; tideline.Refused and
    other tideline.Errors for what cannot be replicated."""
    if isinstance(optimizer_fn, str):
        optimizer_fn, loss_reduction = None, optimizer_fn
    if loss_reduction == tf.losses.Reduction.NONE:
        raise ValueError("loss_reduction is NONE; expected a reduction, since a loss that is no scalar cannot be trained")
    devices = list(devices) if devices else _local_devices()
    average = loss_reduction != _SUM

    def replicated(features, labels, mode, params=None, config=None):
        if _is_mode(features):  # the first version of the original had the mode before features and labels
            features, labels, mode = labels, mode, features
        _task.refuse_strategies(config)
        features, labels, split = _inputs.prepare(features, labels, len(devices))
        spec = _call(model_fn, features, labels=labels, mode=mode, params=params, config=config)
        graph = tf.get_default_graph()
        if mode == tf.estimator.ModeKeys.TRAIN:
            train_op = spec.train_op if optimizer_fn is None else _train_op(spec.loss, optimizer_fn, params)
            plan = replicate_graph(graph, _task.devices_of(devices, config), split, loss=spec.loss, train_op=op_of(train_op),
                                   average=average)
            return spec._replace(loss=graph.get_tensor_by_name(plan["loss"]),
                                 train_op=graph.get_operation_by_name(plan["train_op"]))
        if mode == tf.estimator.ModeKeys.EVAL:
            return _evaluation(graph, spec, devices, split, average)
        results = _specs.Results(spec)
        plan = replicate_graph(graph, devices, split, predictions=results.tensors)
        return results.replaced(lambda key: graph.get_tensor_by_name(plan["predictions"][key]))

    return replicated


def TowerOptimizer(optimizer_or_optimizer_fn):
    """The optimizer itself. The later original has model functions wrap theirs; here nothing needs to be wrapped."""
    optimizer = optimizer_or_optimizer_fn
    return optimizer if isinstance(optimizer, tf.train.Optimizer) else optimizer()


def _evaluation(graph, spec, devices, split, average):
    metrics = _specs.metrics_of(spec)
    # Without any, one that nothing runs: the executable evaluates metrics, and adds up the loss beside them.
    measured = metrics or {"mean_of_loss": (None,) + tf.metrics.mean(spec.loss)}
    plan = replicate_graph(graph, devices, split, loss=spec.loss, average=average,
                           metrics={key: (value, update) for key, (_, value, update) in measured.items()})
    found = {name: (graph.get_tensor_by_name(plan["metrics"][key]["value"]),
                    graph.get_operation_by_name(plan["metrics"][key]["update"]))
             for key, (name, _, _) in metrics.items()}
    return spec._replace(loss=graph.get_tensor_by_name(plan["loss"]), eval_metric_ops=found)


def _train_op(loss, optimizer_fn, params):
    optimizer = optimizer_fn(params=params) if "params" in _arguments(optimizer_fn) else optimizer_fn()
    train_op = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    return tf.group(train_op, *updates) if updates else train_op


def _call(model_fn, features, **others):
    """What the model function returns. As an Estimator does it, all is given by name, and only what is asked for."""
    wanted = _arguments(model_fn)
    given = {name: value for name, value in others.items() if name in wanted}
    return model_fn(features=features, **given) if "features" in wanted else model_fn(features, **given)


def _is_mode(value):
    return isinstance(value, str) and value in _MODES


def _arguments(function):
    """The names of a function's arguments, also of a method, and of a functools.partial without what that sets."""
    names = set(inspect.signature(function).parameters)
    while isinstance(function, functools.partial):
        names -= set(function.keywords)
        function = function.func
    return names


def _local_devices():
    found = [device.name for device in device_lib.list_local_devices()]
    return [name for name in found if ":GPU:" in name] or [name for name in found if ":CPU:" in name][:1]
