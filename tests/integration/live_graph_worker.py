"""Edits live graphs, in a Python with TensorFlow 2.15 or 1.13: live_graph_worker.py PROGRAM REPOSITORY FOLDER"""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import tideline

assert "tensorflow" not in sys.modules
import numpy as np
import tensorflow.compat.v1 as tf

from front_graphs import comparable, opened, refused, state
from tideline import _edit, _live, _program
from tideline.replicate.graphs import replicate

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[3])
IS_1 = tf.__version__.startswith("1.")
TUTORIAL = "assets/samples/tutorial_mnist.meta"
CONDITIONALS = "tests/data/graphs/cond.meta"
LMS2 = ["lms2", "--swapout-threshold", 50, "--swapin-ahead", 3, "--swapin-groupby", 2]
LOSS = "loss/sparse_softmax_cross_entropy_loss/value:0"
TRAINED = ["--loss", LOSS, "--train-op", "adam_optimizer/Adam"]
REPLICATE = ["replicate", "--devices", "/cpu:0,/cpu:0", "--split", "Placeholder:0,Placeholder_1:0"] + TRAINED
CASES = [
    (TUTORIAL, LMS2),
    (TUTORIAL, LMS2 + ["--serialization", "60:64,70", "--sync-mode", 3]),
    (TUTORIAL, ["lms1", "--optimizer-scopes", "adam_optimizer"]),
    (TUTORIAL, REPLICATE),  # adds an op `loss` beside the scope loss/
    (TUTORIAL, LMS2 + ["--excl-output-by-types", "Relu", "--then", "lms1", "--optimizer-scopes", "adam_optimizer",
                       "--n-tensors", 2]),
    (TUTORIAL, ["sections", "--sections", 3, "--batch-size", 4] + TRAINED),
]
CASES_2 = [("tests/data/graphs/resnet50.meta", LMS2), ("tests/data/graphs/transformer.meta", LMS2)]


def written(graph, plan):
    """What the executable makes of the same graph."""
    for name, content in ("g.meta", _live.export(graph).SerializeToString(deterministic=True)), ("p", json.dumps(plan).encode()):
        (FOLDER / name).write_bytes(content)
    subprocess.check_call([PROGRAM, "rewrite", "apply", str(FOLDER / "g.meta"), "--plan", str(FOLDER / "p"), "-o",
                           str(FOLDER / "out.meta"), "--force", "--quiet"])
    meta = tf.MetaGraphDef()
    meta.ParseFromString((FOLDER / "out.meta").read_bytes())
    return comparable(meta.graph_def)


@contextlib.contextmanager
def program(path, on_path=None):
    before = {key: os.environ.get(key) for key in ("TIDELINE", "PATH")}
    os.environ.pop("TIDELINE")
    if path:
        os.environ["TIDELINE"] = str(path)
    if on_path:
        os.environ["PATH"] = str(on_path)
    try:
        yield
    finally:
        os.environ.update(before)


def live_graphs_become_what_is_written():
    for path, words in CASES + ([] if IS_1 else CASES_2):  # the others have ops that TensorFlow 1.13 does not know
        graph = opened(path)
        before = state(graph)
        plan = _live.plan(graph, *words)
        assert state(graph) == before
        expected = written(graph, plan)
        _live.apply(graph, plan)
        found = state(graph)
        assert found != before
        assert found == expected, (path, words, [name for name in expected if found.get(name) != expected[name]][:5])
        print("{}: {} gives {} ops".format(path, words[0], len(found)))


def variables_of_any_kind_are_exported():
    """From within the graph and from outside, where TensorFlow 2 is eager."""
    with tf.Graph().as_default() as graph:
        for is_resource in (False, True):
            tf.get_variable("resource" if is_resource else "plain", [3], use_resource=is_resource)
        inside = tideline.export()
    outside = tideline.export(graph)
    assert outside.SerializeToString(deterministic=True) == inside.SerializeToString(deterministic=True)
    assert len(outside.collection_def["trainable_variables"].bytes_list.value) == 2


def large_graphs_take_no_time():
    if IS_1:
        return
    graph = opened("tests/data/graphs/transformer.meta")
    start = time.time()
    with graph.as_default():
        tf.train.export_meta_graph()
    exported = time.time()
    _live.apply(graph, _live.plan(graph, *LMS2))
    print("{} ops: TensorFlow's export {:.2f} s, planning and editing {:.2f} s".format(
        len(graph.get_operations()), exported - start, time.time() - exported))


def a_changed_graph_is_told():
    graph = opened(TUTORIAL)
    plan = _live.plan(graph, *LMS2)
    changed = plan["rerouted"][0]
    op = graph.get_operation_by_name(changed["op"])
    original = op.inputs[changed["slot"]]
    with graph.as_default():
        op._update_input(changed["slot"], tf.stop_gradient(original))
    with refused(tideline.GraphChanged, "377 ops", "has 378"):
        _live.apply(graph, plan)
    other = opened(TUTORIAL)
    other.get_operation_by_name("conv1/Relu")._set_device("/cpu:0")
    before = state(other)
    with refused(tideline.GraphChanged, "changed"):
        _live.apply(other, plan)
    assert state(other) == before


def errors_leave_the_graph_as_it_was():
    graph = opened(TUTORIAL)
    before = state(graph)
    plan = _live.plan(graph, *LMS2)

    def broken(**members):
        return dict(plan, **members)

    for wrong, error, word in (
            (broken(schema="tideline.plan/2"), tideline.Error, "tideline.plan/2"),
            (broken(removed=["Const"]), tideline.UnsupportedGraph, "removes the op 'Const'"),
            (broken(control=[{"op": "none", "after": []}]), tideline.GraphChanged, "an op 'none'"),
            (broken(rerouted=[dict(plan["rerouted"][0], slot=7)]), tideline.GraphChanged, "input 7"),
            (broken(rerouted=[dict(plan["rerouted"][0], to="Const:5")]), tideline.GraphChanged, "'Const:5'"),
            (broken(added=[dict(plan["added"][0], name="Const")]), tideline.GraphChanged, "'Const'"),
            (broken(added=[dict(plan["added"][0], op="NoSuchOp")] + plan["added"][1:]), tideline.Error, "NoSuchOp")):
        with refused(error, word):
            _live.apply(graph, wrong)
        assert state(graph) == before, word


def failures_of_tensorflow_are_undone():
    """Whatever fails after ops were added: those that were there read and wait for what they did before."""
    for method, after in (("_reroute", 3), ("_wait", 2)):
        graph = opened(TUTORIAL)
        before = state(graph)
        plan = _live.plan(graph, *(LMS2 + ["--sync-mode", 3]))
        original, calls = getattr(_edit.Edit, method), []

        def failing(self, *arguments):
            calls.append(1)
            if len(calls) > after:
                raise KeyboardInterrupt
            original(self, *arguments)

        setattr(_edit.Edit, method, failing)
        try:
            with refused(KeyboardInterrupt):
                _live.apply(graph, plan)
        finally:
            setattr(_edit.Edit, method, original)
        found = state(graph)
        assert {name: found[name] for name in before} == before, method


def what_cannot_be_edited_is_said():
    graph = opened(TUTORIAL)
    plan = _live.plan(graph, *LMS2)
    graph.finalize()
    with refused(tideline.UnsupportedGraph, "finalized"):
        _live.apply(graph, plan)
    with refused(TypeError, "str"):
        _live.export("a graph")
    if IS_1:
        return
    with refused(tideline.UnsupportedGraph, "eager", "disable_eager_execution"):
        _live.export()
    import tensorflow
    traced = tensorflow.function(lambda x: x + 1).get_concrete_function(tensorflow.TensorSpec([2]))
    with refused(tideline.UnsupportedGraph, "tf.function"):
        _live.export(traced.graph)


def executables_are_told_apart():
    def script(name, text):
        path = FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    old = script("old/tideline", "echo tideline 0.0.9\n")
    headless = script("headless/tideline", 'case "$1" in --version) echo tideline 99.0;; render) exit 2;; esac\n')
    with program(FOLDER / "none"), refused(tideline.ExecutableMissing, "TIDELINE="):
        _program.find()
    with program(None, FOLDER), refused(tideline.ExecutableMissing, "PATH"):
        _program.find()
    with program(script("other", "echo something else\n")), refused(tideline.ExecutableMissing, "something else"):
        _program.find()
    with program(old), refused(tideline.ExecutableTooOld, "0.0.9", "0.1.0"):
        _program.run("inspect")
    with program(None, headless.parent):
        assert _program.find() == str(headless)
        with refused(tideline.ExecutableMissing, "PNG", str(headless)):
            _program.find(display=True)
    # The script that pip makes would start whatever is found here, and so itself.
    made_by_pip = script("made_by_pip", "exit 1  # from tideline._program import main\n")
    with program(made_by_pip, headless.parent):
        assert _program.find() == str(headless)
    with program(made_by_pip, FOLDER), refused(tideline.ExecutableMissing, "there is no program"):
        _program.find()
    with program(script("crash", 'case "$1" in --version) echo tideline 1.0;; *) echo "tideline: too bad" >&2; exit 70;; esac\n')):
        with refused(tideline.ExecutableFailed, "too bad") as _:
            _live.plan(opened(TUTORIAL), *LMS2)
    fake_programs_are_told(script)
    with refused(tideline.Refused, "No operations were found with types:  {'No'}."):
        _live.plan(opened(TUTORIAL), *(LMS2 + ["--excl-output-by-types", "No"]))
    assert issubclass(tideline.Refused, ValueError) and issubclass(tideline.Refused, tideline.Error)


def fake_programs_are_told(script):
    """Whatever stands at the program's place and answers whatever: an error of ours, and soon."""
    patience, _program.VERSION_SECONDS = _program.VERSION_SECONDS, 1
    for name, says, expected in (("hangs", "sleep 1000", "does not end within 1 s"), ("endless", "yes tideline 1.0", "--version"),
                                 ("large", "printf 'tideline 1.'; head -c 6000 /dev/zero | tr '\\0' 9", "--version"),
                                 ("control", "printf 'tideline \\033[31m1.0'; exit 0", "?[31m1.0"),
                                 ("fails", "echo tideline 1.0; exit 9", "tideline 1.0")):
        begin = time.time()
        with program(script("fake_" + name, says + "\n")), refused(tideline.ExecutableMissing, expected):
            _program.find()
        assert time.time() - begin < 10, name
    _program.VERSION_SECONDS = patience
    begin = time.time()
    with program(script("fake_child", "sleep 15 & echo tideline 1.0\n")):
        assert _program.find()
    assert time.time() - begin < 10
    said = 'case "$1" in --version) echo tideline 1.0;; *) '
    for name, does in (("silent", "true"), ("words", "echo hello"), ("list", "echo '[1]'"), ("deep", "head -c 100000 /dev/zero | tr '\\0' '['"),
                       ("files", 'for last; do case "$last" in *.json|*.svg|*.meta) printf "\\377no" > "$last";; esac; done')):
        with program(script("fake_" + name, said + does + ";; esac\n")):
            graph = opened(TUTORIAL)
            for call in (lambda: _live.plan(graph, *LMS2), lambda: tideline.simulate(graph, batch_size=10),
                         lambda: tideline.view(graph, batch_size=10),
                         lambda: replicate(_live.export(graph), ["/cpu:0"], ["x"])):
                with refused(tideline.ExecutableFailed, "does not answer as `tideline` does"):
                    call()


def pictures_and_timelines():
    graph = opened(TUTORIAL)
    step = tideline.simulate(graph, batch_size=10, swapout_threshold=50, swapin_ahead=3, swapin_groupby=2)
    assert step.device_bytes.max() == step.summary["device_peak_bytes"] and step.host_bytes.max() > 0
    assert len(step.op) == len(step.level) == step.summary["steps"] and step.level.dtype == np.int64
    assert step._repr_svg_().startswith("<svg")
    exactly = tideline.simulate(graph, batch_size=10, as_run="exact")  # by this TensorFlow
    assert exactly.summary["as_run"] == "exact", exactly.summary["as_run"]
    modelled = tideline.simulate(graph, batch_size=10, as_run="modelled")
    assert abs(exactly.device_bytes.max() / modelled.device_bytes.max() - 1) < 0.05, (exactly, modelled)
    assert exactly._repr_svg_().startswith("<svg")
    picture = tideline.view(graph, view="levels", size="600x400", theme="light")
    assert picture._repr_svg_().startswith("<svg") and 'width="600"' in picture.svg[:300], picture.svg[:300]
    other = tideline.view(graph, view="memory", size="900x400")
    ids = [set(re.findall(r'id="([^"]+)"', each._repr_svg_())) for each in (picture, other)]
    assert len(ids[0]) > 1 and len(ids[1]) > 1 and not ids[0] & ids[1], ids  # a page can have both
    for each, own in zip((picture, other), ids):
        assert own >= set(re.findall(r"url\(#([^)]+)\)", each._repr_svg_())) > set(), own
        assert len(own) == len(set(re.findall(r'id="([^"]+)"', each.svg))), own
    with refused(tideline.Refused, "view: expected one of"):
        tideline.view(graph, view="nothing")


def branches_are_chosen():
    graph = opened(CONDITIONALS)
    taken = [tideline.simulate(graph, branch=branch).summary["conditionals"][0]
             for branch in ({}, {"cond": False}, ["cond=false"])]
    assert [(one["name"], one["branch"], one["source"]) for one in taken] == \
        [("cond", "true", "larger"), ("cond", "false", "given"), ("cond", "false", "given")], taken
    with refused(tideline.Refused, "nowhere: there is no such conditional"):
        tideline.simulate(graph, branch={"nowhere": True})


def the_app_opens_a_copy():
    """An app in its place writes down what it was given; without a window, it is said which programs have none."""
    app = FOLDER / "app/tideline"
    app.parent.mkdir()
    app.write_text("#!/bin/sh\ncase \"$1\" in --version) echo tideline 1.0;; render) exit 1;; "
                   "*) cp \"$1\" {};; esac\n".format(FOLDER / "given.meta"))
    app.chmod(0o755)
    graph = opened(TUTORIAL)
    with program(app):
        process = tideline.open(graph)
        assert process.wait() == 0
    assert (FOLDER / "given.meta").read_bytes() == tideline.export(graph).SerializeToString(deterministic=True)


for test in (live_graphs_become_what_is_written, variables_of_any_kind_are_exported, large_graphs_take_no_time, a_changed_graph_is_told,
             errors_leave_the_graph_as_it_was, failures_of_tensorflow_are_undone, what_cannot_be_edited_is_said,
             executables_are_told_apart, pictures_and_timelines, *([] if IS_1 else [branches_are_chosen]),
             the_app_opens_a_copy):
    test()
    print(test.__name__, flush=True)
