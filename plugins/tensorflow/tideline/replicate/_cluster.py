"""A cluster as the executable reads it: from a file, or from the environment."""
import contextlib
import json
import os
import tempfile

from .._tensorflow import tf
from ..errors import ExecutableFailed


@contextlib.contextmanager
def words(cluster):
    """A context: options of the executable, for as long as it lasts. `cluster`: None for none; a dict or a tf.train.ClusterSpec; the
    path of a JSON file; or "TF_CONFIG" for what the environment says. Errors: TypeError for anything else."""
    if cluster is None:
        yield []
    elif isinstance(cluster, (str, bytes, os.PathLike)):
        yield ["--cluster", os.fsdecode(cluster)]
    else:
        with tempfile.TemporaryDirectory(prefix="tideline.") as folder:
            path = os.path.join(folder, "cluster.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(_tasks(cluster), file)
            try:
                yield ["--cluster", path]
            except ExecutableFailed as problem:  # the caller knows of no file
                raise type(problem)(problem.message.replace(path, "cluster"), problem.exit_code) from None


def _tasks(cluster):
    if isinstance(cluster, tf.train.ClusterSpec):
        return cluster.as_dict()
    if isinstance(cluster, dict):
        return cluster
    raise TypeError("cluster: expected a dict, a tf.train.ClusterSpec, the path of a JSON file or 'TF_CONFIG', not {!r}".format(cluster))
