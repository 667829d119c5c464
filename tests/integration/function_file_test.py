#!/usr/bin/env python3
"""Graph files taken out of SavedModels, and functions rewritten inside plain graph files, run the same."""
import json
import sys

import common

TRAIN_STEP = common.SAVED_MODELS / "train_step"


def a_main_graph_is_taken_out(folder, jobs):
    """Into each format, and back from it: TensorFlow finds the graph of the model in it."""
    models = [(TRAIN_STEP, ["serve"]), (common.SAVED_MODELS / "keras", ["serve"]),
              (common.SAVED_MODELS / "two_graphs", ["train"]),
              (common.SAVED_MODELS / "two_graphs", ["serve", "small"])]
    asked = []
    for model, tags in models:
        for suffix in (".pb", ".pbtxt", ".meta"):
            out = folder / f"{model.name}_{tags[0]}{suffix}"
            words = ["--tag", tags[0]] if model.name == "two_graphs" else []
            common.tideline("convert", model, *words, "-o", out, "--quiet")
            asked.append((out, jobs.ask("same_graph", model, tags, out)))
    yield
    for out, same in asked:
        assert same() is True, out


def a_function_of_a_plain_file_is_rewritten(folder, jobs):
    """The library of a GraphDef and of a MetaGraph, run with fixed numbers in the variables."""
    signatures = folder / "original.meta"
    common.tideline("convert", TRAIN_STEP, "-o", signatures, "--quiet")
    listed = json.loads(common.tideline("inspect", signatures, "--json").stdout)["functions"]
    function = next(f["name"] for f in listed if "inference_train_step" in f["name"])
    asked = []
    for suffix in (".pb", ".pbtxt", ".meta"):
        original, rewritten = folder / f"original{suffix}", folder / f"rewritten{suffix}"
        if suffix != ".meta":
            common.tideline("convert", TRAIN_STEP, "-o", original, "--quiet")
        common.tideline("rewrite", "lms2", original, "--function", function, "-o", rewritten,
                        *common.lms2(3, 2, 1))
        common.tideline("diff", original, rewritten, "--function", function)
        asked.append([suffix, *(jobs.ask("with_numbers", path, signatures, 3) for path in (original, rewritten))])
    yield
    for suffix, original, rewritten in asked:
        assert original()["values"] == rewritten()["values"], suffix
        assert "train 2 loss" in original()["values"], original()
        assert rewritten()["swaps run"] and not original()["swaps run"], (suffix, rewritten())


def functions_of_loops_and_branches(folder, jobs):
    source = common.graph("tf2_controlflow.pb")
    listed = json.loads(common.tideline("inspect", source, "--json").stdout)["functions"]
    assert len(listed) == 7, listed
    last = source
    for number, function in enumerate(listed):
        out = folder / f"{number}.pb"
        common.tideline("rewrite", "lms2", last, "--function", function["name"], "-o", out, *common.lms2(1, 1, 0))
        common.tideline("diff", last, out, "--function", function["name"])
        last = out
    original, rewritten = (jobs.ask("run_graph", path, {"x:0": [4]}, ["Identity:0", "while:2"])
                           for path in (source, last))
    yield
    assert original() == rewritten()


if __name__ == "__main__":
    common.need_tensorflow()
    sys.exit(common.run_with_tensorflow(a_main_graph_is_taken_out, a_function_of_a_plain_file_is_rewritten,
                                        functions_of_loops_and_branches))
