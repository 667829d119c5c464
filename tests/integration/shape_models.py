"""Builds graphs of many kinds with a real TensorFlow; run by shapes_test.py.

Each graph is written twice into the folder given as argument: NAME.pb with the shapes that TensorFlow
infers, NAME.bare.pb without.
"""
import pathlib
import sys

import shape_networks  # noqa: F401
import shape_ops  # noqa: F401
from shape_building import MODELS, tf


def main():
    folder = pathlib.Path(sys.argv[1])
    for build in MODELS:
        if sys.argv[2:] and build.__name__ not in sys.argv[2:]:
            continue
        tf.reset_default_graph()
        try:
            build()
        except Exception as error:  # a kind that this TensorFlow cannot build tells nothing of us
            print(f"{build.__name__}: {type(error).__name__}: {str(error)[:300]}")
        graph = tf.get_default_graph()
        for name, shapes in ((f"{build.__name__}.pb", True), (f"{build.__name__}.bare.pb", False)):
            (folder / name).write_bytes(graph.as_graph_def(add_shapes=shapes).SerializeToString())
    print("built", len(MODELS))


main()
