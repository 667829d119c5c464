"""Fits of graphs, files, Estimators and Keras models of graph mode, in a Python with TensorFlow 2.15 or 1.13:
fit_front_worker.py PROGRAM REPOSITORY FOLDER"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import xml.dom.minidom

import tideline

assert "tensorflow" not in sys.modules
import numpy as np
import tensorflow.compat.v1 as tf

from front_graphs import opened, refused, state
from tideline._fit import card

PROGRAM, ROOT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
IS_1 = tf.__version__.startswith("1.")
TUTORIAL = "assets/samples/tutorial_mnist.meta"
SMALL = ["--device=100MiB", "--batch-size=800"]  # the peak is 243.77 MiB; batches of 206 fit


def said(path, words, code=0):
    """What the program says of a file, without its name."""
    done = subprocess.run([PROGRAM, "fit", str(path), "--json"] + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    summary = json.loads(done.stdout.decode("utf-8").replace(str(path), "GRAPH"))
    del summary["file"]
    return summary


def named(summary):
    """The same for what tideline.fit says of an unnamed graph, or of a path."""
    text = json.dumps(summary)
    for name in (str(ROOT / TUTORIAL), "graph.meta"):
        text = text.replace(name, "GRAPH")
    return json.loads(text)


def numbers(summary):
    """All but texts about files."""
    ways = [{key: way[key] for key in way if key != "command"} for way in summary["ways"]]
    return {**{key: value for key, value in summary.items() if key != "missing"}, "ways": ways,
            "missing": [way["title"] for way in summary["missing"]]}


def paths_are_asked_as_they_are():
    found = tideline.fit(ROOT / TUTORIAL, device="100MiB", batch_size=800)
    expected = said(ROOT / TUTORIAL, SMALL)
    assert named(found.summary) == expected
    assert not found.fits and found.largest_batch == expected["largest_batch"] == 206, found
    assert found.device_peak_bytes == expected["device_peak_bytes"] > found.budget_bytes == 100 * 2 ** 20
    assert sum(kind["bytes"] for kind in found.kinds) == sum(layer["bytes"] for layer in found.layers) == found.device_peak_bytes
    assert repr(found) == ("<tideline fit: a batch of 800 does not fit a device of 100.00 MiB: 243.77 MiB of 100.00 MiB; "
                           "the largest batch that fits is 206>"), repr(found)
    assert "ways" in dir(found) and not hasattr(found, "nothing") and copy.copy(found).ways == found.ways
    assert tideline.fit(str(ROOT / TUTORIAL)).summary == tideline.fit(os.fsencode(str(ROOT / TUTORIAL)), device="v100").summary


def live_graphs_are_what_is_exported():
    graph = opened(TUTORIAL)
    before = state(graph)
    (FOLDER / "g.meta").write_bytes(tideline.export(graph).SerializeToString(deterministic=True))
    found = tideline.fit(graph, device="100MiB", batch_size=800)
    expected = said(FOLDER / "g.meta", SMALL)
    assert numbers(named(found.summary)) == numbers(expected)
    commands = [way["command"] for way in found.ways if way["command"]]
    assert commands and all(" graph.meta " in command and "tideline." not in command for command in commands), commands
    assert not any("graph.meta:" in way["reason"] or os.sep + "tideline." in way["reason"] for way in found.missing), found.missing
    assert state(graph) == before
    with graph.as_default():
        assert tideline.fit(device="100MiB", batch_size=800).summary == found.summary
    os.chdir(str(FOLDER))
    found.write()
    assert (FOLDER / "graph.meta").read_bytes() == (FOLDER / "g.meta").read_bytes()
    command = next(way["command"] for way in found.ways if way["fits"] and way["command"])
    done = subprocess.run([PROGRAM] + command.split()[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, (command, done.stdout)


def nothing_fits_is_an_answer():
    found = tideline.fit(opened(TUTORIAL), device="1MiB", batch_size=1, deadline="10s")
    assert not found.fits and found.largest_batch == 0 and not any(way["fits"] for way in found.ways), found
    assert numbers(named(found.summary)) == numbers(said(FOLDER / "g.meta", ["--device=1MiB", "--batch-size=1"], code=3))
    assert str(found).endswith("not even a batch of 1 fits\nno way was found to make it fit"), str(found)
    for wrong, word in ((dict(device="nothing"), "nothing"), (dict(device="v100", no_such_option=3), "no_such_option")):
        with refused(tideline.Refused, word):
            tideline.fit(opened(TUTORIAL), **wrong)
    for wrong in (dict(loss="mse"), dict(optimizer="adam")):
        with refused(TypeError, list(wrong)[0]):
            tideline.fit(opened(TUTORIAL), **wrong)
    with refused(TypeError, "specs"):
        tideline.fit(opened(TUTORIAL), [1, 2])


def asserting_fails_where_it_must():
    assert tideline.assert_fits(ROOT / TUTORIAL, device="100MiB", batch_size=206).largest_batch == 206
    with refused(AssertionError, "a batch of 207 does not fit", "100.12 MiB of 100.00 MiB", "largest batch that fits is 206",
                 "to make it fit: "):
        tideline.assert_fits(ROOT / TUTORIAL, device="100MiB", batch_size=207)
    with refused(AssertionError, "not even a batch of 1 fits", "no way was found"):
        tideline.assert_fits(ROOT / TUTORIAL, device="1MiB")


def model_fn(features, labels, mode):
    hidden = tf.layers.dense(tf.reshape(features, [-1, 784]), 100, activation=tf.nn.relu, name="hidden")
    loss = tf.losses.sparse_softmax_cross_entropy(labels, tf.layers.dense(hidden, 10, name="logits"))
    train_op = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def input_fn():
    return tf.data.Dataset.from_tensor_slices((np.zeros([100, 28, 28], "f"), np.zeros([100], "i"))).batch(50)


def estimators_are_built_as_they_train():
    estimator = tf.estimator.Estimator(model_fn, str(FOLDER / "estimator"))
    found = tideline.fit(estimator, input_fn, device="v100", batch_size=50)
    kinds = {kind["kind"]: kind["bytes"] for kind in found.kinds}
    parameters = 4 * (784 * 100 + 100 + 100 * 10 + 10)
    assert parameters <= kinds["variables"] < 1.01 * parameters, kinds
    assert 2 * parameters <= kinds["optimizer_slots"] < 2.02 * parameters, kinds
    assert not (FOLDER / "estimator").exists() or not list((FOLDER / "estimator").iterdir())
    assert tideline.fit(estimator, input_fn, batch_size=100).device_peak_bytes > found.device_peak_bytes
    with refused(TypeError, "input_fn"):
        tideline.fit(estimator)

    def broken():
        raise ValueError("no data today")

    with refused(tideline.UnsupportedGraph, "no data today"):
        tideline.fit(estimator, broken)


def keras_of_graph_mode_is_made_anew():
    """The session that Keras has is not asked: it would take over the graph as it is."""
    layers = tf.keras.layers
    with tf.Graph().as_default() as graph:
        if not hasattr(tf.keras.Model(), "_make_train_function"):
            return  # Keras 3 has no graph mode
        inputs = layers.Input([28, 28, 1])
        hidden = layers.Dropout(0.5)(layers.Flatten()(layers.Conv2D(8, 3, activation="relu", name="conv")(inputs)))
        model = tf.keras.Model(inputs, layers.Dense(10, activation="softmax", name="scores")(hidden))
        with refused(tideline.UnsupportedGraph, "not compiled"):
            tideline.fit(model)
        assert tideline.fit(model, loss="sparse_categorical_crossentropy", optimizer="sgd", batch_size=8).fits
        model.compile(tf.keras.optimizers.Adam(), "sparse_categorical_crossentropy")
        before = state(graph)
        peaks = [tideline.fit(model, batch_size=batch).device_peak_bytes for batch in (32, 64)]
        assert state(graph) == before
        # What was asked for is convolution and mask; both are 26 x 26 x 8 floats for each example.
        assert peaks[1] - peaks[0] > 32 * 2 * 4 * 26 * 26 * 8, peaks
        assert model.get_config()["layers"] and getattr(model, "train_function", None) is None
        assert model.fit(np.zeros([8, 28, 28, 1]), np.zeros([8]), verbose=0).history["loss"][0] > 0


def cards_are_xml_whatever_they_say():
    found = tideline.fit(opened(TUTORIAL), device="100MiB", batch_size=800)
    picture = found._repr_svg_()
    tree = xml.dom.minidom.parseString(picture.encode("utf-8"))
    texts = [node.firstChild.nodeValue for node in tree.getElementsByTagName("text") if node.lastChild is node.firstChild]
    assert "✗ A batch of 800 does not fit a device of 100.00 MiB" in texts and "budget 100.00 MiB" in texts, texts
    assert picture.count("http") == 1 and "<image" not in picture and "script" not in picture  # the name space of SVG
    for part in ([way["title"] for way in found.ways if len(way["title"]) < 25] + ["conv1", "fc1", "Ways to fit"] +
                 ["{} {}".format(kind["kind"].replace("_", " "), card.text.size(kind["bytes"])) for kind in found.kinds]):
        assert any(part in text for text in texts), (part, texts)
    # The bar of all kinds ends at the peak, beyond the budget; the budget is a line.
    bars = [rect for rect in tree.getElementsByTagName("rect") if rect.getAttribute("height") == "22"]
    end = max(float(bar.getAttribute("x")) + float(bar.getAttribute("width")) for bar in bars)
    line, = tree.getElementsByTagName("line")
    assert abs((end - 20) / (float(line.getAttribute("x1")) - 20) - found.device_peak_bytes / found.budget_bytes) < 0.01
    nasty = json.loads(json.dumps(found.summary))
    nasty["peak_op"] = nasty["layers"][0]["layer"] = "<script>&\"'\x00\x1b]]>\ud800" + "long" * 50
    nasty["ways"][0].update(title="</text><b>", cost="<&>", fits=False)
    nasty["missing"].append({"title": "&amp;", "reason": "\x07 <"})
    nasty["layers"][1]["layer"] = None
    nasty["kinds"].append({"kind": "new & unknown", "bytes": 5})
    nasty["largest_batch"], nasty["largest_batch_reason"] = None, "<no batch>"
    drawn = card.drawn(nasty)
    assert "<script>" not in drawn and "<b>" not in drawn
    xml.dom.minidom.parseString(drawn.encode("utf-8"))
    for options in ({}, dict(as_run="off"), dict(curve=True), dict(deadline="1ms"), dict(memory_ratio=0.9), dict(executor="gpu")):
        xml.dom.minidom.parseString(tideline.fit(opened(TUTORIAL), device=2 ** 30, **options)._repr_svg_().encode("utf-8"))


for test in (paths_are_asked_as_they_are, live_graphs_are_what_is_exported, nothing_fits_is_an_answer,
             asserting_fails_where_it_must, estimators_are_built_as_they_train, keras_of_graph_mode_is_made_anew,
             cards_are_xml_whatever_they_say):
    test()
    print(test.__name__, flush=True)
