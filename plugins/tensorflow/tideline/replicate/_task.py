"""Where a model function with towers is called: in which task of a cluster, and whether a strategy of tf.distribute is at work."""
from .._tensorflow import tf
from ..errors import UnsupportedGraph

_INSTEAD = ("{} copies the model itself, and towers inside of the copies would train another one. Use towers without it: TF_CONFIG "
            "with the tasks of a cluster gives each task its own, with the variables on the job ps. Or use the strategy without "
            "tideline.replicate")


def refuse_strategies(config=None):
    """`config`: the RunConfig of an Estimator. Errors: tideline.UnsupportedGraph where a strategy of tf.distribute is."""
    for name in ("train_distribute", "eval_distribute"):
        strategy = getattr(config, name, None)
        if strategy is not None:
            raise UnsupportedGraph(_INSTEAD.format("{} of the RunConfig is a {}, which".format(name, type(strategy).__name__)))
    if tf.distribute.has_strategy():
        raise UnsupportedGraph(_INSTEAD.format("this is the scope of a {}, a strategy of tf.distribute that".format(
            type(tf.distribute.get_strategy()).__name__)))


def devices_of(devices, config):
    """The devices of the towers that an Estimator of `config` (a RunConfig, or None) trains with: those of the task of this process
    have its job and number. Without, the ops that belong to no tower could be anywhere in the cluster. Errors: ValueError for
    devices of other tasks, where an Estimator keeps the towers of each task on it, that is, has parameter servers."""
    # A cluster of a single task has no server, and its session no jobs.
    if not getattr(config, "master", None) or not config.cluster_spec or not config.task_type:
        return devices
    task = "/job:{}/task:{}".format(config.task_type, config.task_id)
    return [_on(task, device, config.num_ps_replicas > 0) for device in devices]


def _on(task, device, is_bound):
    own, given = tf.DeviceSpec.from_string(task), tf.DeviceSpec.from_string(device)
    if given.job not in (None, own.job) or given.task not in (None, own.task):
        if is_bound:
            raise ValueError("'{}' is a device of another task than {}, and every task has its own towers; expected devices such as "
                             "'/device:GPU:0', which each task has".format(device, task))
        return device
    own.merge_from(given)
    return own.to_string()
