#!/usr/bin/env python3
"""The plan JSON is complete: a small script that knows only it makes the graph that we wrote."""
import json
import pathlib
import subprocess
import sys

import common

HERE = pathlib.Path(__file__).resolve().parent
COMPARE = """
import sys
from tensorboard.compat.proto import meta_graph_pb2
a, b = meta_graph_pb2.MetaGraphDef(), meta_graph_pb2.MetaGraphDef()
a.ParseFromString(open(sys.argv[1], "rb").read())
b.ParseFromString(open(sys.argv[2], "rb").read())
sys.exit(0 if a == b else 1)
"""


def same_as_the_script(name, graph, plan, ours, folder):
    """`ours` is what apply_plan.py makes of graph and plan."""
    theirs = folder / "theirs.meta"
    for command in ([HERE / "apply_plan.py", graph, plan, theirs], ["-c", COMPARE, ours, theirs]):
        done = subprocess.run([common.TENSORFLOW, *map(str, command)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr or 'the graphs differ'}")


def check_oracles(folder):
    ours, plan = folder / "ours.meta", folder / "plan.json"
    cases = 0
    for path, oracle in common.oracles("lms_v2", 30):
        if "swaps" not in oracle:
            continue
        graph = common.graph(oracle["graph"])
        words = common.options_of(oracle)
        if path.name == "tutorial.json":
            words += ["--serialization", "60:64,70"]
        common.tideline("rewrite", "lms2", graph, "-o", ours, "--plan-json", plan, "--force", "--quiet", *words)
        same_as_the_script(path.name, graph, plan, ours, folder)
        cases += 1
    print(cases, "plans applied")
    assert cases == 26, cases


def check_chain(folder):
    graph, ours, plan = common.graph("tutorial_mnist.meta"), folder / "both.meta", folder / "both.json"
    common.tideline("rewrite", "lms2", graph, "--swapout-threshold", "70", "--swapin-ahead", "3", "--swapin-groupby", "2",
                    "--excl-output-by-types", "Relu", "--then", "lms1", "--optimizer-scopes", "adam_optimizer",
                    "--n-tensors", "2", "-o", ours, "--plan-json", plan, "--quiet")
    same_as_the_script("chain", graph, plan, ours, folder)


def check_savers(folder):
    """Plans that remove ops and control inputs."""
    ours, plan = folder / "savers.meta", folder / "savers.json"
    for name in ("plain", "sharded", "two"):
        graph = common.DATA / f"savers/{name}.meta"
        common.tideline("rewrite", "checkpoint", graph, "--backend", "file", "--config", '{"note": "größer"}', "-o", ours,
                        "--plan-json", plan, "--force", "--quiet")
        assert json.loads(plan.read_text(encoding="utf-8"))["removed"]
        same_as_the_script(name, graph, plan, ours, folder)


def check_inlined(folder):
    """Calls are inlined before the swaps are planned, and the plan is for the file as it was."""
    graph, ours, plan = folder / "step.meta", folder / "inlined.meta", folder / "inlined.json"
    common.tideline("convert", common.DATA / "inline/calls_step.pb", "-o", graph)
    common.tideline("rewrite", "lms2", graph, "--inline", "--swapout-threshold", "3", "--swapin-ahead", "2",
                    "--swapin-groupby", "1", "--batch-size", "8", "-o", ours, "--plan-json", plan, "--quiet")
    inline, swaps = json.loads(plan.read_text(encoding="utf-8"))["plans"]
    assert inline["kind"] == "inline" and inline["emptied"] and swaps["swaps"], plan
    same_as_the_script("inlined", graph, plan, ours, folder)
    applied = folder / "applied.meta"
    common.tideline("rewrite", "apply", graph, "--plan", plan, "-o", applied, "--quiet")
    assert applied.read_bytes() == ours.read_bytes()


def check_lists(folder):
    """The list that a loop keeps for its gradient is swapped as one value."""
    graph, ours, plan = folder / "listed.meta", folder / "listed_swapped.meta", folder / "listed.json"
    common.tideline("convert", common.ROOT / "tests/golden/cases/listed_loop.pbtxt", "-o", graph)
    common.tideline("rewrite", "lms2", graph, "--inline", "--swap-lists", "--swapout-threshold", "2", "--swapin-ahead", "1",
                    "--swapin-groupby", "0", "-o", ours, "--plan-json", plan, "--quiet")
    found = json.loads(plan.read_text(encoding="utf-8"))
    swaps = (found["plans"][-1] if found["kind"] == "chain" else found)["swaps"]
    assert any("list" in swap for swap in swaps), swaps
    same_as_the_script("listed", graph, plan, ours, folder)


def check_every_change(folder):
    """A plan written by hand, with what no rewriter of ours decides yet."""
    graph, ours, plan = common.graph("tutorial_mnist.meta"), folder / "changed.meta", folder / "by_hand.json"
    made = folder / "made.json"
    common.tideline("rewrite", "lms2", graph, "--swapout-threshold", "70", "--swapin-ahead", "3", "--swapin-groupby", "2",
                    "--plan-json", made, "--quiet")
    edit = json.loads(made.read_text(encoding="utf-8"))
    edit["kind"] = "edit"
    copied = edit["rerouted"][0]["op"]
    edit["added"] += [
        {"name": "by_hand/copy", "op": "Const", "copy_of": "conv1/Const", "device": "/cpu:0", "inputs": [],
         "control_inputs": ["by_hand/wait"], "attrs": {"_note": {"string": "a copy"}}},
        {"name": "by_hand/wait", "op": "NoOp", "device": "", "inputs": [], "control_inputs": [],
         "attrs": {"_numbers": {"integers": [1, 2]}, "_half": {"float": 0.5}, "_on": True}}]
    edit["control"].append({"op": copied, "after": ["by_hand/copy"]})
    edit["devices"] = {copied: "/gpu:0"}
    edit["attributes"] = {copied: {"_note": {"strings": ["a", "b"]}}}
    plan.write_text(json.dumps(edit), encoding="utf-8")
    common.tideline("rewrite", "apply", graph, "--plan", plan, "-o", ours, "--quiet")
    same_as_the_script("every change", graph, plan, ours, folder)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as name:
        folder = pathlib.Path(name)
        check_oracles(folder)
        check_chain(folder)
        check_savers(folder)
        check_lists(folder)
        check_inlined(folder)
        check_every_change(folder)


if __name__ == "__main__":
    sys.exit(main())
