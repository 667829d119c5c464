#!/usr/bin/env python3
"""SavedModels are copied byte for byte, and one whose function was rewritten trains to the same bits."""
import json
import shutil
import sys

import common

TRAIN_STEP = common.SAVED_MODELS / "train_step"
# Threshold, ahead, group-by and sync mode.
PARAMETERS = [(1, 1, 0, 0), (5, 2, 2, 0), (10, 3, 40, 0), (3, 1, 1, 1), (3, 2, 1, 2), (1, 1, 0, 3)]
STEPS = 4


def function_named(model, part):
    """The whole name of the function whose name has this part: its number differs between models."""
    listed = json.loads(common.tideline("inspect", model, "--json").stdout)["functions"]
    names = [f["name"] for f in listed if part in f["name"] and "signature_wrapper" not in f["name"]]
    assert len(names) == 1, (part, listed)
    return names[0]


def a_copy_is_the_same_files(folder, jobs):
    models = [common.SAVED_MODELS / name for name in ("train_step", "two_graphs", "keras")]
    asked = []
    for model in models:
        out = folder / model.name
        before = common.files_in(model)
        # Two MetaGraphs: one has to be chosen to be looked at, but all are copied.
        common.tideline("convert", model, "-o", out, *(["--tag", "train"] if model.name == "two_graphs" else []))
        assert common.files_in(model) == before, f"{model} was changed"
        copied = common.files_in(out)
        assert copied.keys() == before.keys(), (model, sorted(copied), sorted(before))
        assert copied == before, (model, [n for n in copied if copied[n] != before[n]])
        calls = {"two_graphs": [["in_session", ["train"], 2], ["in_session", ["serve", "small"], 2]],
                 "keras": [["signatures"], ["keras"]]}.get(model.name, [["signatures"], ["train", 2]])
        for name, *rest in calls:
            asked.append((name, jobs.ask(name, model, *rest), jobs.ask(name, out, *rest)))
    assert sorted(p.name for p in folder.iterdir()) == sorted(m.name for m in models)
    yield
    for name, original, copy in asked:
        assert original() == copy(), (name, original(), copy())


def an_output_that_exists_is_not_touched(folder, jobs):
    out = folder / "out"
    common.tideline("convert", TRAIN_STEP, "-o", out)
    (out / "mine").write_text("kept", encoding="utf-8")
    before = common.files_in(out)
    for force in ([], ["--force"]):
        refused = common.tideline("convert", TRAIN_STEP, "-o", out, *force, check=False)
        assert refused.returncode == 1 and "'mine'" in refused.stderr, refused
        assert common.files_in(out) == before
    (out / "mine").unlink()
    before = common.files_in(out)
    refused = common.tideline("convert", TRAIN_STEP, "-o", out, check=False)
    assert refused.returncode == 1 and "--force" in refused.stderr, refused
    assert common.files_in(out) == before
    assert [p.name for p in folder.iterdir()] == ["out"]
    yield


def functions_are_listed(folder, jobs):
    model = jobs.ask("functions", TRAIN_STEP)
    listed = json.loads(common.tideline("inspect", TRAIN_STEP, "--json").stdout)["functions"]
    as_file = json.loads(common.tideline("inspect", TRAIN_STEP / "saved_model.pb", "--json").stdout)["functions"]
    assert listed == as_file
    yield
    assert {f["name"]: f["ops"] for f in listed} == {name: len(types) for name, types in model().items()}


def check_files(before, after):
    """Only the graph's file is another one; its fingerprint would be wrong and is left out."""
    assert before.pop("saved_model.pb") != after.pop("saved_model.pb")
    before.pop("fingerprint.pb")
    assert before == after, (sorted(before), sorted(after))


def check_swaps(swaps, ran, sync_mode):
    outs = {name for name in swaps if name.startswith("lms/swapout_")}
    ins = {name for name in swaps if name.startswith("lms/swapin_")}
    assert outs and ins and outs | ins == set(swaps), swaps
    for name, (inputs, controls, device) in swaps.items():
        assert "CPU:0" in device.upper(), (name, device)
        # A swap-in reads a swap-out, a swap-out reads what was computed.
        assert (inputs[0].removesuffix(":0") in outs) == (name in ins), (name, inputs)
    if sync_mode < 2:
        assert any(controls for name, (_, controls, _) in swaps.items() if name in ins), swaps
    # TensorFlow turns loops into other ops before it runs them, and drops what they need not read.
    looped = any("_switch" in name for name in ran)
    assert outs & set(ran) and ins & set(ran) if looped else sorted(swaps) == ran, (sorted(swaps), ran)


def a_rewritten_function_trains_the_same(folder, jobs):
    models = [(TRAIN_STEP, PARAMETERS), (common.make_saved_model(folder, "control_flow"), PARAMETERS[:2]),
              (common.make_saved_model(folder, "train_step", "--filters", 16, "--seed", 7), PARAMETERS[1:4:2])]
    asked = []
    for model, parameters in models:
        function = function_named(model, "inference_train_step")
        original = [jobs.ask("train", model, STEPS), jobs.ask("in_session", model, ["serve"], 2),
                    jobs.ask("signatures", model)]
        for number, values in enumerate(parameters):
            out = folder / f"{len(asked)}_{number}"
            common.tideline("rewrite", "lms2", model, "--function", function, "-o", out, *common.lms2(*values))
            check_files(common.files_in(model), common.files_in(out))
            for words in ([], ["--function", function]):
                common.tideline("diff", model, out, *words)
            asked.append((values, original, [jobs.ask("train", out, STEPS), jobs.ask(
                "in_session", out, ["serve"], 2), jobs.ask("signatures", out)]))
    yield
    for values, original, rewritten in asked:
        first, second = original[0](), rewritten[0]()
        assert first["losses"] == second["losses"], (values, first, second)
        assert first["variables"] == second["variables"], (values, first, second)
        assert len(set(first["losses"])) == STEPS and len(first["variables"]) == 12, first
        assert original[1]()["values"] == rewritten[1]()["values"], values
        assert original[2]() == rewritten[2](), values
        assert not first["swaps"]
        check_swaps(second["swaps"], rewritten[1]()["swaps run"], values[3])


def every_function_can_be_rewritten(folder, jobs):
    """Bodies of loops and branches too, one after the other: the last file holds all of it."""
    model = common.make_saved_model(folder, "control_flow", "--seed", 3)
    listed = json.loads(common.tideline("inspect", model, "--json").stdout)["functions"]
    last = model
    for number, function in enumerate(listed):
        out = folder / str(number)
        common.tideline("rewrite", "lms2", last, "--function", function["name"], "-o", out,
                        *common.lms2(1, 1, 0))
        common.tideline("diff", last, out, "--function", function["name"])
        if last != model:
            shutil.rmtree(last)
        last = out
    original, rewritten = jobs.ask("train", model, STEPS), jobs.ask("train", last, STEPS)
    bodies = jobs.ask("functions", model), jobs.ask("functions", last)
    yield
    for key in ("losses", "variables"):
        assert original()[key] == rewritten()[key], (key, original()[key], rewritten()[key])
    before, after = bodies[0](), bodies[1]()
    grown = [name for name in before if len(after[name]) > len(before[name])]
    assert any("inference_train_step" in name for name in grown) and any(
        "repeat_body" in name for name in grown), grown


def one_meta_graph_of_two_is_rewritten(folder, jobs):
    model, out = common.SAVED_MODELS / "two_graphs", folder / "out"
    unclear = common.tideline("rewrite", "lms2", model, "-o", out, *common.lms2(1, 1, 0), check=False)
    assert unclear.returncode == 1 and "train" in unclear.stderr and "serve" in unclear.stderr, unclear
    common.tideline("rewrite", "lms2", model, "--tag", "train", "-o", out, *common.lms2(1, 1, 0))
    common.tideline("diff", model, out, "--tag", "train")
    asked = [(tags, jobs.ask("in_session", model, tags, 3), jobs.ask("in_session", out, tags, 3))
             for tags in (["train"], ["serve", "small"])]
    yield
    for tags, original, rewritten in asked:
        assert original()["values"] == rewritten()["values"], tags
        assert bool(rewritten()["swaps run"]) == (tags == ["train"]), (tags, rewritten())


def a_wrong_number_is_noticed(folder, jobs):
    """The comparison itself is tested: the learning rate in the written file is changed by one bit."""
    function = function_named(TRAIN_STEP, "inference_train_step")
    out, wrong = folder / "out", folder / "wrong"
    common.tideline("rewrite", "lms2", TRAIN_STEP, "--function", function, "-o", out, *common.lms2(5, 2, 2))
    shutil.copytree(out, wrong)
    planted = jobs.ask("plant", out, wrong, function, "ResourceApplyAdam/lr")
    right_answer, wrong_answer = jobs.ask("train", out, STEPS), jobs.ask("train", wrong, STEPS)
    yield
    assert planted()
    assert right_answer()["variables"] != wrong_answer()["variables"]
    found = common.tideline("diff", TRAIN_STEP, wrong, "--function", function, check=False)
    assert found.returncode == 3 and "ResourceApplyAdam/lr" in found.stdout, found
    assert common.tideline("diff", TRAIN_STEP, wrong, check=False).returncode == 3


if __name__ == "__main__":
    common.need_tensorflow()
    sys.exit(common.run_with_tensorflow(
        a_copy_is_the_same_files, an_output_that_exists_is_not_touched, functions_are_listed,
        a_rewritten_function_trains_the_same, every_function_can_be_rewritten,
        one_meta_graph_of_two_is_rewritten, a_wrong_number_is_noticed))
