"""Replicates graphs that are finished: files, and live graphs."""
import collections
import json
import os
import tempfile

from .. import _live, _program
from .._tensorflow import tf
from . import _cluster, _task

# The graph with towers, and the plan (kind `replicate`, assets/docs/towers.md): `loss`, `train_op`, `predictions`, ...
Replicated = collections.namedtuple("Replicated", "meta_graph plan")


def replicate(meta_graph, devices=None, split=(), cluster=None, **options):
    """A graph that trains on several devices, as Replicated. `meta_graph`: a MetaGraphDef, or the path of a file in any format
    that the executable reads. `split`: the names of the tensors whose first dimension is the batch; in place of one may be a
    tuple of three, the indices, values and shape of a sparse tensor. `cluster`: the tasks whose devices are used, by default for
    a tower on each GPU of chief and workers, or on their CPUs: a dict as tf.train.ClusterSpec takes it or as in TF_CONFIG, such a
    ClusterSpec, the path of a JSON file, or "TF_CONFIG" for what the environment says.

    Options: loss, train_op, parameter_device, gradient_scope (names), predictions ({key: tensor}), metrics ({name: (value,
    update)}), average (gradients and loss are means over the towers, not sums), batch_norm_update ("first" or "all"), variables
    ("first", "ps" or "balanced": where they are), variable_devices (in place of those of the job ps). Errors: those of the
    executable."""
    options = _words(devices, split, options)
    with _cluster.words(cluster) as tasks:
        if isinstance(meta_graph, (str, bytes, os.PathLike)):
            with tempfile.TemporaryDirectory(prefix="tideline.") as folder:
                return _replicated(meta_graph, folder, options + tasks)
        with _live.written(meta_graph) as path:
            return _replicated(path, os.path.dirname(path), options + tasks, hide=path)


def _replicated(path, folder, words, **more):
    """The graph at `path` replicated; files on the way lie in `folder`. `more`: of _program.run."""
    out, result = os.path.join(folder, "out.meta"), os.path.join(folder, "plan.json")
    _program.run("rewrite", "replicate", path, *words + ["-o", out, "--plan-json", result], **more)
    made = tf.MetaGraphDef()
    with _program.answers():
        with open(out, "rb") as file:
            made.ParseFromString(file.read())
        with open(result, encoding="utf-8") as file:
            return Replicated(made, json.load(file))


def replicate_graph(graph, devices=None, split=(), cluster=None, **options):
    """The same for a live graph, which is edited in place, all of it or nothing. Returns the plan. `split` and all options
    that name tensors or ops may be these themselves. Where variables of metrics are initialized, so are those of all towers.
    On a cluster, its session is one of a server's (tf.Session(server.target)). Errors also: tideline.UnsupportedGraph in the scope
    of a strategy of tf.distribute."""
    _task.refuse_strategies()
    options = _words(devices, split, options)
    with _cluster.words(cluster) as tasks:
        plan = _live.plan(graph, "replicate", *options + tasks)
    _live.apply(graph, plan)
    return plan


def _words(devices, split, options):
    """The options of `rewrite replicate`. Errors: TypeError for one that there is none of."""
    unknown = set(options) - set(_OPTIONS)
    if unknown:
        raise TypeError("replicate has no option '{}'; expected one of {}".format(sorted(unknown)[0], ", ".join(_OPTIONS)))
    for name, given in (("devices", devices), ("variable_devices", options.get("variable_devices"))):
        if isinstance(given, str):
            raise TypeError("{}: expected a list of devices, not the text '{}'".format(name, given))
    words = ["--devices", ",".join(devices)] if devices else []
    words += ["--split", ",".join(map(_split, split))] if split else []
    for key in _OPTIONS:
        value = options.get(key)
        if value is None or value is False or isinstance(value, (dict, list, tuple)) and not value:
            continue
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            words.append(_OPTIONS[key](value))
    return words


def _name(named):
    return named if isinstance(named, str) else named.name


def _split(tensor):
    """A tensor, or the three of a sparse one."""
    if isinstance(tensor, tf.SparseTensor):
        tensor = (tensor.indices, tensor.values, tensor.dense_shape)
    return "+".join(map(_name, tensor)) if isinstance(tensor, (list, tuple)) else _name(tensor)


def _pairs(predictions):
    return ",".join("{}={}".format(key, _name(tensor)) for key, tensor in predictions.items())


def _metrics(metrics):
    return ",".join("{}={}={}".format(key, _name(value), _name(update)) for key, (value, update) in metrics.items())


_OPTIONS = collections.OrderedDict([
    ("loss", _name), ("train_op", _name), ("predictions", _pairs), ("metrics", _metrics), ("parameter_device", str),
    ("gradient_scope", str), ("batch_norm_update", str), ("average", str), ("variables", str), ("variable_devices", ",".join)])
