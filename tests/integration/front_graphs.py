"""What workers that edit live graphs share: opening graphs, comparing them, errors that are expected, what is logged."""
import contextlib
import logging
import pathlib
import sys

import tensorflow.compat.v1 as tf
from tensorflow.python.framework import meta_graph

ROOT = pathlib.Path(sys.argv[2])


def opened(path):
    """A live graph with exactly the ops of a MetaGraph file."""
    meta = tf.MetaGraphDef()
    meta.ParseFromString((ROOT / path).read_bytes())
    graph = tf.Graph()
    with graph.as_default():
        meta_graph.import_scoped_meta_graph(meta)
    return graph


def comparable(definition):
    """NodeDefs by name; what TensorFlow says in another way each time is left out."""
    found = {}
    for node in definition.node:
        copy = tf.NodeDef()
        copy.CopyFrom(node)
        copy.attr.pop("_output_shapes", None)
        inputs = [name for name in node.input if name[0] != "^"] + sorted(n for n in node.input if n[0] == "^")
        del copy.input[:]
        copy.input.extend(inputs)
        copy.device = node.device.lower().replace("/device:", "/")
        found[node.name] = copy.SerializeToString(deterministic=True)
    return found


def state(graph):
    return comparable(graph.as_graph_def())


@contextlib.contextmanager
def refused(error, *words):
    """What is done meanwhile fails with exactly this class, and all words in its text."""
    try:
        yield
    except error as problem:
        assert type(problem) is error, repr(problem)
        assert all(word in str(problem) for word in words), problem
        return
    raise AssertionError("expected {} with {}".format(error.__name__, words))


class logged(logging.Handler):
    """The lines that TensorFlow logs meanwhile."""

    def __enter__(self):
        self.lines = []
        tf.logging.set_verbosity(tf.logging.INFO)
        logging.getLogger("tensorflow").addHandler(self)
        return self.lines

    def __exit__(self, *_):
        logging.getLogger("tensorflow").removeHandler(self)

    def emit(self, record):
        self.lines.append(record.getMessage())
