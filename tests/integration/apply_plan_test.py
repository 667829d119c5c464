#!/usr/bin/env python3
"""The plan JSON is complete: a small script that knows only it makes the graph that we wrote."""
import pathlib
import subprocess
import sys

import common

COMPARE = """
import sys
from tensorboard.compat.proto import meta_graph_pb2
a, b = meta_graph_pb2.MetaGraphDef(), meta_graph_pb2.MetaGraphDef()
a.ParseFromString(open(sys.argv[1], "rb").read())
b.ParseFromString(open(sys.argv[2], "rb").read())
sys.exit(0 if a == b else 1)
"""


def main():
    common.need_tensorflow()
    here = pathlib.Path(__file__).resolve().parent
    cases = 0
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        ours, plan, theirs = folder / "ours.meta", folder / "plan.json", folder / "theirs.meta"
        for path, oracle in common.oracles("lms_v2", 30):
            if "swaps" not in oracle:
                continue
            graph = common.graph(oracle["graph"])
            words = common.options_of(oracle)
            if path.name == "tutorial.json":
                words += ["--serialization", "60:64,70"]
            common.tideline("rewrite", "lms2", graph, "-o", ours, "--plan-json", plan, "--force",
                            "--quiet", *words)
            for command in ([here / "apply_plan.py", graph, plan, theirs], ["-c", COMPARE, ours, theirs]):
                done = subprocess.run([common.TENSORFLOW, *map(str, command)], capture_output=True,
                                      text=True)
                if done.returncode != 0:
                    sys.exit(f"{path.name}: {done.stderr or 'the graphs differ'}")
            cases += 1
    print(cases, "plans applied")
    assert cases == 26, cases


if __name__ == "__main__":
    sys.exit(main())
