"""Compares lines of the program's code with where the ops were made: source_lines_worker.py FOLDER"""
import json
import os
import sys

import tensorflow.compat.v1 as tf

import tideline
from tideline import _lines, _live, _program

FOLDER = sys.argv[1]
IS_1 = tf.__version__.startswith("1.")
MARK = "# " + "makes "


def model(images, kernel):
    product = tf.matmul(images, kernel)  # makes MatMul
    hidden = tf.nn.relu(product)  # makes Relu
    return tf.nn.softplus(hidden)  # makes Softplus


with open(__file__, encoding="utf-8") as own:  # by the name of the op
    MADE = {line.partition(MARK)[2].strip(): number for number, line in enumerate(own, 1) if MARK in line}


def check(said):
    """The names in MADE that `said`, entries of JSON, has with the right lines. Gradients have other lines, and like names."""
    seen = set()
    for entry in said:
        name = entry["tensor"].partition(":")[0].rpartition("/")[2]
        if name in MADE and "grad" not in entry["tensor"]:
            line = entry["line"]
            assert os.path.basename(line["file"]) == os.path.basename(__file__), entry
            assert (line["line"], line["function"]) == (MADE[name], "model"), (entry, MADE)
            seen.add(name)
    return seen


def tensors(path, *words):
    return json.loads(_program.run("inspect", path, "--tensors", "--json", *words))


def live_graphs():
    graph = tf.Graph()
    with graph.as_default():
        kernel = tf.get_variable("kernel", [64, 256], use_resource=True)
        loss = tf.reduce_sum(model(tf.placeholder(tf.float32, [128, 64]), kernel))
        tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    before = tideline.export(graph).SerializeToString(deterministic=True)
    largest = tideline.simulate(graph, swapout_threshold=1, swapin_ahead=3, swapin_groupby=2).summary["alive_at_peak"]
    assert check(largest), largest
    assert all("line" in entry for entry in largest if entry["kind"] == "swapped"), largest
    with _live.written(tideline.export(graph), frames=_lines.frames(graph)) as path:
        assert check(tensors(path)) == set(MADE)
        said = _program.run("why", path, "line:{}:{}".format(os.path.basename(__file__), MADE["Softplus"]))
        assert "Softplus:0" in said and "made in" in said, said
    assert tideline.export(graph).SerializeToString(deterministic=True) == before


def functions():
    import tensorflow as tf2
    import tideline.lms

    class Net(tf2.Module):
        def __init__(self):
            super().__init__()
            self.kernel = tf2.Variable(tf2.ones([64, 256]))

        @tf2.function(input_signature=[tf2.TensorSpec([128, 64])])
        def step(self, images):
            with tf2.GradientTape() as tape:
                loss = tf2.reduce_sum(model(images, self.kernel))
                if loss > 0:  # autograph makes code of its own
                    loss = loss * 2.0
            self.kernel.assign_sub(0.1 * tape.gradient(loss, self.kernel))
            return loss

    net = Net()
    for inline in (False, True):
        step = tideline.lms.rewrite_function(net.step, policy="lms2", swapout_threshold=1, swapin_ahead=3, swapin_groupby=2, inline=inline)
        step(tf2.ones([128, 64]))
        (trace,) = tideline.lms.traces(step)
        with trace._file() as path:
            assert check(tensors(path, *trace._body())) == set(MADE)
    folder = os.path.join(FOLDER, "model")
    tf2.saved_model.save(net, folder, options=tf2.saved_model.SaveOptions(save_debug_info=True))
    functions = json.loads(_program.run("inspect", folder, "--json"))["functions"]
    (name,) = [one["name"] for one in functions if one["name"].startswith("__inference_step")]
    assert check(tensors(folder, "--function", name)) == set(MADE)
    assert check(tensors(folder, "--inline")) == set(MADE)
    words = ["lms2", folder, "--function", name, "--swapout-threshold", "1", "--swapin-ahead", "3", "--swapin-groupby", "2"]
    for out, more in (("found", []), ("named", ["--debug-info", os.path.join(folder, "debug", "saved_model_debug_info.pb")])):
        _program.run("rewrite", *words, *more, "-o", os.path.join(FOLDER, out))
    files = ("saved_model.pb", os.path.join("debug", "saved_model_debug_info.pb"))
    content = {out: [open(os.path.join(FOLDER, out, file), "rb").read() for file in files] for out in ("found", "named", "model")}
    assert content["found"] == content["named"]
    assert content["found"][1] == content["model"][1]
    os.remove(os.path.join(folder, files[1]))
    _program.run("rewrite", *words, "-o", os.path.join(FOLDER, "without"))
    with open(os.path.join(FOLDER, "without", files[0]), "rb") as file:
        assert file.read() == content["found"][0]


live_graphs()
if not IS_1:
    functions()
print("done")
