#!/usr/bin/env python3
"""The made-up graphs in tests/data are the bytes that their generator writes."""
import pathlib
import subprocess
import sys

import common

GENERATOR = common.SUPPORT / "make_scale_graph.py"


def main():
    with common.temporary_folder() as name:
        for graph, size in (("scale_400.pb", "1x20"), ("scale_2k.pb", "1x99")):
            made = pathlib.Path(name) / graph
            subprocess.run([sys.executable, "-B", GENERATOR, made, size], check=True, stdout=subprocess.DEVNULL)
            assert made.read_bytes() == common.graph(graph).read_bytes(), graph
    print("both graphs are what the generator writes")


if __name__ == "__main__":
    sys.exit(main())
