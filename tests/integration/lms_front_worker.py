"""Large model support in a process with TensorFlow 2.15 or 1.13: lms_front_worker.py PROGRAM REPOSITORY FOLDER"""
import contextlib
import json
import os
import pathlib
import re
import sys

import numpy as np
import tensorflow as tf0
import tensorflow.compat.v1 as tf

import tideline
from front_graphs import logged, opened, refused, state
from tideline import _program
from tideline.lms import LMS, v1

FOLDER = pathlib.Path(sys.argv[3])
IS_1 = tf0.__version__.startswith("1.")
RATIO = "TF_LMS_SIMULATOR_MEM_RATIO"
TUTORIAL = "assets/samples/tutorial_mnist.meta"


def fifty_three_two(**more):
    return LMS(swapout_threshold=50, swapin_ahead=3, swapin_groupby=2, **more)


def wired(definition):
    """Type, device and inputs of every op: attributes are those of the TensorFlow that has the graph."""
    return {node.name: (node.op, node.device.replace("/device:CPU:", "/cpu:"), [name for name in node.input if name[0] != "^"],
                        {name for name in node.input if name[0] == "^"}) for node in definition.node}


def copied_calls():
    for name, text, graph, written in json.loads((FOLDER / "jobs.json").read_text()):
        live = opened(FOLDER / graph)
        before = set(state(live))
        with live.as_default():
            module = v1 if "optimizer_scopes" in text else sys.modules["tideline.lms"]
            names = {"tf": tf, "LMS": module.LMS}
            exec(text, names)
            added = names["lms"].run(live)
        meta = tf.MetaGraphDef()
        meta.ParseFromString((FOLDER / written).read_bytes())
        expected, found = wired(meta.graph_def), wired(live.as_graph_def())
        assert found == expected, (name, text, [n for n in set(expected) ^ set(found)][:5])
        assert {op.name for op in added} == set(found) - before, name
        print("{}: the call adds the {} ops of the command".format(name, len(added)))


def arguments_and_properties():
    """Each reaches the executable under its name."""
    lms = LMS(swapout_threshold=5, swapin_groupby=1, swapin_ahead=2, sync_mode=3, serialization=["60:64", 70, "-1"],
              serialization_by_size=0.5, debug=True, debug_level=2, cpu_device="/device:CPU:0", gpu_device="/device:GPU:1")
    lms.batch_size, lms.is_training = 8, False
    for side in ("excl_output", "excl_input", "incl_output", "incl_input"):
        setattr(lms, side + "_by_scopes", {"b_" + side, "a"})
        setattr(lms, side + "_by_types", {"T_" + side})
    assert lms._words(keras=True) == [
        "--swapout-threshold=5", "--swapin-ahead=2", "--swapin-groupby=1", "--sync-mode=3", "--serialization=60:64,70,-1",
        "--serialization-by-size=536870912", "--cpu-device=/device:CPU:0", "--gpu-device=/device:GPU:1", "--batch-size=8",
        "--inference", "--keras"] + [
            word for kind in ("excl", "incl") for side in ("output", "input") for word in
            ("--{}-{}-by-scopes=a,b_{}_{}".format(kind, side, kind, side), "--{}-{}-by-types=T_{}_{}".format(kind, side, kind, side))]
    lms = fifty_three_two()
    lms.keep_tensors, lms.swap_tensors, lms.ahead_tensors = {"b:0", "a:0"}, ["c"], {"d:0": 7, "c": np.int64(2)}
    assert lms._words(keras=False)[4:] == [
        "--cpu-device=/cpu:0", "--keep-tensors=a:0,b:0", "--swap-tensors=c", "--ahead-tensors=c=2,d:0=7"], lms._words(keras=False)
    graph = opened(TUTORIAL)
    before = state(graph)
    for wrong in ({"conv1/Relu:0": "9"}, {"conv1/Relu:0": True}, ["conv1/Relu:0=9"]):
        lms = fifty_three_two()
        lms.ahead_tensors = wrong
        with refused(TypeError, "ahead_tensors"):
            lms.run(graph)
    with refused(tideline.Refused, "ahead_tensors is"):
        v1.LMS({"adam_optimizer"}, ahead_tensors={"conv1/Relu:0": 0}).run(graph)
    assert state(graph) == before
    lms = fifty_three_two()
    lms.swapout_threshold = "50"
    with refused(TypeError, "swapout_threshold"):
        lms.run(graph)
    with refused(tideline.Refused, "serialization_by_size"):
        fifty_three_two(serialization_by_size=-1).run(graph)
    assert state(graph) == before


def overrides_are_those_of_the_command():
    """As properties, and as options of the command."""
    overrides = dict(keep_tensors={"conv2/Relu:0"}, swap_tensors={"fc1/Relu:0"}, ahead_tensors={"conv1/Relu:0": 9})
    options = ["--keep-tensors=conv2/Relu:0", "--swap-tensors=fc1/Relu:0", "--ahead-tensors=conv1/Relu:0=9"]
    for make in (fifty_three_two, lambda: v1.LMS({"adam_optimizer"}, lb=2)):
        found = []
        for properties in (dict(overrides), dict(tideline_options=options), {}):
            lms, graph = make(), opened(TUTORIAL)
            for name, value in properties.items():
                setattr(lms, name, value)
            lms.run(graph)
            found.append(wired(graph.as_graph_def()))
        assert found[0] == found[1] != found[2]


def wrong_types_are_said_by_the_constructor():
    """As in the originals, before there is a graph."""
    for name, value in (("swapout_threshold", "50"), ("swapout_threshold", 0), ("swapout_threshold", 1.5), ("swapin_ahead", 0),
                        ("swapin_ahead", [3]), ("swapin_groupby", "2"), ("sync_mode", 4), ("sync_mode", "3"), ("sync_mode", None),
                        ("serialization", [1.5]), ("serialization", "60:64"), ("serialization_by_size", "big"),
                        ("debug_level", "2")):
        with refused(ValueError, name):
            LMS(**{name: value})
    LMS(swapout_threshold=np.int64(50), swapin_ahead=None, serialization=["60:64", 70], serialization_by_size=0.5)
    for wrong in ({}, dict(optimizer_scopes=set()), dict(graph=tf.Graph())):
        with refused(ValueError, "optimizer_scopes"):
            v1.LMS(**wrong)
    with refused(ValueError, "optimizer_scopes"):
        v1.LMSSessionRunHook()


def arguments_of_version_1_come_in_the_order_of_the_original():
    graph = tf.Graph()
    for made in (v1.LMS({"adam"}, graph=graph), v1.LMS({"adam"}, graph), v1.LMS(graph, {"adam"}), LMS({"adam"}, graph=graph),
                 LMS(graph, {"adam"}), LMS({"adam"}, graph, None, None, {"e"}, {"i"}, {"E"}, {"I"}, 3, 50, 7, True)):
        assert type(made) is v1.LMS and made.graph is graph and made.optimizer_scopes == {"adam"}, vars(made)
    assert (made.excl_scopes, made.incl_types, made.lb, made.ub, made.n_tensors, made.fuse_swapins) == (
        {"e"}, {"I"}, 3, 50, 7, True), vars(made)
    assert v1.LMSSessionRunHook({"adam"}, graph=graph, lb=3).lms_obj.lb == 3


def log_lines_and_results():
    graph = opened(TUTORIAL)
    lms = fifty_three_two(debug=True)
    lms.excl_output_by_scopes = {"loss", "accuracy", "dropout"}
    with logged() as lines:
        added = lms.run(graph)
    assert len(added) == 13 and all(op.graph is graph for op in added)
    assert "[LMS] The graph has 377 vertices and 483 edges." in lines, lines
    assert any(line.startswith("[LMS] Added 13 operations to the model (6 swap-out") for line in lines), lines
    assert any("distance" in line for line in lines), lines
    again = state(graph)
    with logged() as lines:
        assert lms.run(graph) == set()
    assert state(graph) == again and any("already" in line for line in lines), lines
    with logged() as lines:
        assert v1.LMS({"adam_optimizer"}, opened(TUTORIAL), n_tensors=0).run() == set()
    assert any("LMS" in line for line in lines), lines
    assert len(v1.LMS(opened(TUTORIAL), {"adam_optimizer"}, n_tensors=3).run()) > 6


def errors_of_the_originals():
    graph = opened(TUTORIAL)
    before = state(graph)
    with refused(tideline.Refused, "It seems you are feeding data via placeholders."):
        LMS().run(graph)
    lms = LMS()
    lms.batch_size = 10
    with refused(ValueError, "autotune_gpu_mem"):
        lms.run(graph)
    lms.autotune_gpu_mem = 0.001
    with refused(tideline.Refused):
        lms.run(graph)
    for name, value, text in (("excl_output_by_scopes", "nonexistent", "No operations were found with scope"),
                              ("incl_input_by_types", "NoSuchOp", "No operations were found with types:  {'NoSuchOp'}.")):
        lms = fifty_three_two()
        setattr(lms, name, {value})
        with refused(tideline.Refused, text):
            lms.run(graph)
    for more, text in ((dict(optimizer_scopes={"nope"}), "No operations were found with optimizer scopes {'nope'}."),
                       (dict(starting_scope="nope"), "No operations were found in starting scope nope."),
                       (dict(starting_op_names={"nope"}), "No starting operation was found with name nope."),
                       (dict(excl_scopes={"nope"}), "No operations were found with scope nope.")):
        with refused(tideline.Refused, text):
            v1.LMS(graph, **dict(dict(optimizer_scopes={"adam_optimizer"}), **more)).run()
    assert state(graph) == before
    assert issubclass(tideline.Refused, ValueError)  # what the originals raise


def pictures_show_the_swaps_of_an_edited_graph():
    """Those of either version; a file of the same graph has the same."""
    for edit in (lambda graph: fifty_three_two().run(graph), lambda graph: v1.LMS(graph, optimizer_scopes={"adam_optimizer"}).run()):
        graph = opened(TUTORIAL)
        with graph.as_default():
            assert _lane() == ["live graph", "no policy", "HOST MEMORY LANE"], _lane()
            without = tideline.simulate(batch_size=10)
            names = {op.name for op in edit(graph)}
            out, back = sum("swapout" in name for name in names), sum("swapin" in name for name in names)
            title, policy, lane = _lane()
            assert policy == "no policy, {} copies in the graph".format(out + back) and out > 5 and back >= out, (policy, names)
            assert title == "live graph" and lane.startswith("HOST MEMORY LANE: {} tensors, ".format(out)), (lane, names)
            step = tideline.simulate(batch_size=10)
        # Most copies of version 1 here are of what TensorFlow folds, and so of no step.
        assert 5 < step.summary["swap_ins"] <= back, (step.summary["swap_ins"], back)
        assert without.host_mib.max() == 0 < step.host_mib.max(), (without, step)
        assert (step.device_mib * 2 ** 20 == step.device_bytes).all(), step
        assert repr(step).endswith(" ops, {:.2f} MiB on the device at the peak>".format(step.device_mib.max())), step
        path = FOLDER / "edited.meta"
        path.write_bytes(tideline.export(graph).SerializeToString(deterministic=True))
        assert _lane(str(path))[1:] == [policy, lane] and _lane(path)[0] == "edited.meta", _lane(path)
        # Only a live graph knows where its ops were made.
        for tensor in step.summary["alive_at_peak"]:
            tensor.pop("line", None)
        assert tideline.simulate(path, batch_size=10).summary == step.summary


def _lane(*graph):
    """Title, policy, and the heading of the host lane of the picture."""
    svg = tideline.view(*graph, batch_size=10, size="1200x700").svg
    return re.findall(r">((?:live graph|edited|no policy|HOST MEMORY LANE)[^<]*)<", svg)


def tuned_graphs():
    graph = opened(TUTORIAL)
    lms = LMS()
    lms.batch_size, lms.autotune_gpu_mem, lms.autotune_plot = 100, 70 / 1024, str(FOLDER / "plot.svg")
    with logged() as lines:
        added = lms.run(graph)
    assert added and any("Searching values" in line for line in lines), lines
    assert (FOLDER / "plot.svg").read_text(encoding="utf-8").startswith("<svg")
    lms.autotune_plot = True  # a name of its own, in the format that the program has
    lms.run(opened(TUTORIAL))
    assert (FOLDER / ".lms" / ("autotune.png" if _program.has_display() else "autotune.svg")).exists()


def the_share_of_the_memory_is_that_of_the_environment():
    """TF_LMS_SIMULATOR_MEM_RATIO, as programs for the original set it."""
    lms = LMS()
    lms.batch_size, lms.autotune_gpu_mem = 100, 0.5
    for share in ("0.5", "2", "half", None):
        os.environ.update({RATIO: share} if share else {})
        try:
            with logged() as lines, (refused(ValueError if share == "half" else tideline.Refused) if share in ("2", "half")
                                     else contextlib.suppress()):
                lms.run(opened(TUTORIAL))
        finally:
            os.environ.pop(RATIO, None)
        if share in ("0.5", None):
            assert any("memory ratio: {}".format(share or 0.9) in line for line in lines), (share, lines)


def eager_code_without_functions_is_refused():
    if IS_1:
        return
    with refused(tideline.UnsupportedGraph, "disable_eager_execution"):
        LMS().run()
    model = tf0.keras.Sequential([tf0.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    model.fit(np.ones((2, 2)), np.ones((2, 1)), verbose=0, callbacks=[LMS(50, 2, 3)])  # through a function, as functions_worker.py
    model.compile("sgd", "mse", run_eagerly=True)
    with refused(tideline.Refused, "run_eagerly"):
        model.fit(np.ones((2, 2)), np.ones((2, 1)), verbose=0, callbacks=[LMS(50, 2, 3)])


tests = [eager_code_without_functions_is_refused, copied_calls, arguments_and_properties, overrides_are_those_of_the_command,
         wrong_types_are_said_by_the_constructor,
         arguments_of_version_1_come_in_the_order_of_the_original,
         the_share_of_the_memory_is_that_of_the_environment, log_lines_and_results, errors_of_the_originals,
         pictures_show_the_swaps_of_an_edited_graph, tuned_graphs]
for test in tests:
    test()
    print(test.__name__, flush=True)
