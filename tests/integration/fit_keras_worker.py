"""Fits of Keras models, in a Python with TensorFlow 2.15 and Keras 2 or Keras 3: fit_keras_worker.py PROGRAM REPOSITORY FOLDER"""
import json
import pathlib
import subprocess
import sys
import xml.dom.minidom

import keras
import numpy as np
import tensorflow as tf

import tideline
from front_graphs import refused

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[3])
IS_3 = keras.__version__.startswith("3.")
layers, tf1 = keras.layers, tf.compat.v1
SPARSE = "sparse_categorical_crossentropy"


def network(dropout=0.5, **more):
    """13,706 parameters."""
    inputs = keras.Input([12, 12, 1])
    x = layers.Conv2D(16, 3, activation="relu", name="conv")(inputs)
    x = layers.BatchNormalization(name="norm")(x)
    x = layers.Flatten()(x)
    x = layers.Dropout(dropout, seed=7)(x) if dropout else x
    model = keras.Model(inputs, layers.Dense(8, activation="softmax", kernel_regularizer="l2", name="scores")(x))
    if more:
        model.compile(**more)
    return model


def data(count=64):
    random = np.random.default_rng(5)
    return random.standard_normal((count, 12, 12, 1)).astype("f"), random.integers(0, 8, count).astype("i")


def bytes_of(variables):
    return sum(int(np.prod(variable.shape)) * 4 for variable in variables)


def kinds(found):
    return {kind["kind"]: kind["bytes"] for kind in found.kinds}


def numbers_are_those_of_the_program():
    found = tideline.fit(network(optimizer="adam", loss=SPARSE), device="700KiB", batch_size=32)
    found.write(str(FOLDER / "g.meta"))
    done = subprocess.run([PROGRAM, "fit", str(FOLDER / "g.meta"), "--device=700KiB", "--batch-size=32", "--json"],
                          stdout=subprocess.PIPE, check=True)
    expected = json.loads(done.stdout)
    for key in ("fits", "device_peak_bytes", "kinds", "layers", "alive_at_peak", "largest_batch", "step_ns"):
        assert getattr(found, key) == expected[key], key
    assert not found.fits and 0 < found.largest_batch < 32, found
    at_the_border = [tideline.fit(network(optimizer="adam", loss=SPARSE), device="700KiB", batch_size=found.largest_batch + more)
                     for more in (0, 1)]
    assert [border.fits for border in at_the_border] == [True, False], at_the_border
    xml.dom.minidom.parseString(found._repr_svg_().encode("utf-8"))


def parameters_and_slots_count():
    """Two slots for each trainable variable with Adam, one with momentum; and each has the name of its layer."""
    weights = bytes_of(network().weights)
    trained = bytes_of(network().trainable_weights)
    for optimizer, slots in (("adam", 2), (keras.optimizers.SGD(0.1, momentum=0.9), 1), (keras.optimizers.SGD(0.1), 0 if IS_3 else 1),  # Keras 2 makes it in any case
                             (keras.optimizers.Adam(1e-3, amsgrad=True), 3)):
        found = tideline.fit(network(), loss=SPARSE, optimizer=optimizer, batch_size=1)
        held = sum(bytes for kind, bytes in kinds(found).items() if kind in ("variables", "optimizer_slots"))
        # Blocks of the allocator have 256 bytes, of which there are some for each of at most 30 variables.
        assert 0 <= held - weights - slots * trained < 30 * 256, (optimizer, held, weights, trained)
    kernel, = [node for node in found._step.meta_graph.graph_def.node if node.op == "VarHandleOp" and weight_behind(
        node.name) == "conv/kernel"]
    assert [dim.size for dim in kernel.attr["shape"].shape.dim] == [3, 3, 1, 16], kernel


def weight_behind(name):
    """'conv/kernel' for 'model/conv/kernel' and 'functional_1/conv_1/kernel'; None for variables that are no weights."""
    parts = name.split("/")
    return parts[-2].replace("_1", "") + "/" + parts[-1] if parts[0].startswith(("model", "functional")) else None


def a_step_is_the_step_that_keras_trains():
    """The graph, run by a session from the same weights, makes the same weights of them."""
    x, y = data(8)
    model = network(dropout=None, optimizer=keras.optimizers.SGD(0.1, momentum=0.9), loss=SPARSE)
    definition = tideline.fit(model, batch_size=8)._step.meta_graph.graph_def
    weights = {layer.name + "/" + weight.name.partition(":")[0].rpartition("/")[2]: weight for layer in model.layers
               for weight in layer.weights}
    assert len(weights) == 8, list(weights)
    before = {name: np.array(weight) for name, weight in weights.items()}
    with tf.Graph().as_default() as graph, tf1.Session() as session:
        tf.import_graph_def(definition, name="")
        handles = {}
        for node in definition.node:
            if node.op == "VarHandleOp":
                shape = [dim.size for dim in node.attr["shape"].shape.dim]
                handle = graph.get_tensor_by_name(node.name + ":0")
                value = before.get(weight_behind(node.name), np.full(shape, 0.1 if "rate" in node.name else 0.0))
                session.run(tf.raw_ops.AssignVariableOp(resource=handle, value=tf.cast(value, node.attr["dtype"].type)))
                handles[weight_behind(node.name)] = handle
        session.run("train_step", {"batch_0:0": x, "batch_1:0": y})
        after = {name: session.run(tf.raw_ops.ReadVariableOp(resource=handles[name], dtype=tf.float32)) for name in weights}
    model.train_on_batch(x, y)
    for name, value in after.items():
        assert not np.allclose(value, before[name], atol=1e-4), name
        np.testing.assert_allclose(value, np.array(weights[name]), rtol=1e-4, atol=1e-5, err_msg=name)


def training_is_the_same_after_it():
    """Weights, the optimizer, its steps, and the random numbers of dropout."""
    x, y = data()
    losses, held = [], []
    for asks in (False, True):
        keras.utils.set_random_seed(3)
        model = network(optimizer="adam", loss=SPARSE, metrics=["accuracy"])
        losses.append([])
        for epoch in range(2):
            if asks:
                before = model.get_weights()
                owned = len(model.variables), id(model.optimizer), vars(model).keys()
                assert tideline.fit(model, batch_size=16).fits
                tideline.fit(model, loss="mse", optimizer="sgd", batch_size=16)
                assert owned == (len(model.variables), id(model.optimizer), vars(model).keys())
                assert all((one == other).all() for one, other in zip(before, model.get_weights()))
            losses[-1] += model.fit(x, y, batch_size=16, shuffle=False, verbose=0).history["loss"]
            held.append(len(model.optimizer.variables() if callable(model.optimizer.variables) else model.optimizer.variables))
    assert losses[0] == losses[1] and held[:2] == held[2:], (losses, held)


def slots_take_no_memory():
    """Of a layer with a kernel of 256 MiB, Adam would have 512 MiB more."""
    inputs = keras.Input([8192])
    model = keras.Model(inputs, layers.Dense(8192, kernel_initializer="zeros", use_bias=False)(inputs))
    status = lambda: {key: int(value.split()[0]) for key, _, value in (
        line.partition(":") for line in open("/proc/self/status")) if key in ("VmRSS", "VmHWM")}
    open("/proc/self/clear_refs", "w").write("5")  # the highest is that from here on
    before = status()["VmRSS"]
    found = tideline.fit(model, loss="mse", optimizer="adam", batch_size=2)
    more = status()["VmHWM"] - before
    assert sum(kinds(found).get(kind, 0) for kind in ("variables", "optimizer_slots")) >= 3 * 2 ** 28
    assert more < 400 * 1024, more  # Keras makes the zeros of a slot before it makes the variable: one at a time


def what_is_given_says_the_batch():
    model = network(optimizer="adam", loss=SPARSE)
    x, y = data(48)
    batches = tf.data.Dataset.from_tensor_slices((x, y))
    expected = tideline.fit(model, batch_size=48)
    assert not expected.batch_size_assumed and tideline.fit(model).batch_size_assumed
    for given in ((tf.constant(x), y), (x,), (batches.batch(48, drop_remainder=True),), (batches.shuffle(9).batch(48).prefetch(2),)):
        found = tideline.fit(model, *given)
        assert (found.batch_size, found.largest_batch) == (48, expected.largest_batch), (found, expected)
        assert found.device_peak_bytes == expected.device_peak_bytes, (given, found, expected)
    assert tideline.fit(model, x, y, batch_size=7).batch_size == 7
    fixed = tideline.fit(model, tf.TensorSpec([4, 12, 12, 1]), tf.TensorSpec([4], tf.int32), batch_size=48)
    assert fixed.largest_batch is None and fixed.device_peak_bytes < expected.device_peak_bytes, fixed


class Subclass(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = layers.Dense(64, activation="relu"), layers.Dense(3)

    def call(self, inputs, training=None):
        return self.out(self.hidden(inputs))


class Trainer(Subclass):
    """Has a train_step of its own, with two optimizers."""

    def compile(self, other, **more):
        super().compile(**more)
        self.other = other

    def train_step(self, data):
        x, y = data
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        for optimizer, layer in ((self.optimizer, self.hidden), (self.other, self.out)):
            weights = layer.trainable_weights
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return {"loss": loss}


def models_of_all_kinds():
    specs = tf.TensorSpec([None, 100]), tf.TensorSpec([None, 3])
    model = Subclass()
    model.compile("adam", "mse")
    with refused(tideline.UnsupportedGraph, "give specs"):
        tideline.fit(model)
    found = tideline.fit(model, *specs, batch_size=8)
    weights = 4 * (100 * 64 + 64 + 64 * 3 + 3)
    assert bytes_of(model.weights) == weights and 3 * weights <= kinds(found)["variables"] + kinds(found).get("optimizer_slots", 0)
    assert model.predict(np.ones([2, 100]), verbose=0).shape == (2, 3)  # it has weights, and they have values
    model.fit(np.ones([8, 100]), np.ones([8, 3]), verbose=0)

    own = Trainer()
    own.compile(keras.optimizers.Adam(), optimizer=keras.optimizers.SGD(momentum=0.9))
    optimizers = own.optimizer, own.other
    found = tideline.fit(own, *specs, batch_size=8)
    assert (own.optimizer, own.other) == optimizers
    held = kinds(found)["variables"] + kinds(found).get("optimizer_slots", 0)
    expected = weights + 4 * (100 * 64 + 64) + 2 * 4 * (64 * 3 + 3)  # each optimizer has slots for its layer alone
    assert 0 <= held - expected < 25 * 256, (held, expected)
    own.fit(np.ones([8, 100]), np.ones([8, 3]), verbose=0)

    first, second = keras.Input([4], name="first"), keras.Input([5], name="second")
    joined = layers.Concatenate()([first, second])
    outputs = {"line": layers.Dense(3, name="line")(joined), "kind": layers.Dense(2, activation="softmax", name="kind")(joined)}
    several = keras.Model({"first": first, "second": second}, outputs)
    several.compile("sgd", {"line": "mse", "kind": SPARSE}, loss_weights={"line": 1.0, "kind": 2.0})
    found = tideline.fit(several, batch_size=8)
    shapes = [[dim.size for dim in node.attr["shape"].shape.dim] for node in found._step.meta_graph.graph_def.node
              if node.op == "Placeholder"]
    assert sorted(shapes) == sorted([[-1, 4], [-1, 5], [-1, 3], [-1]]), shapes

    recurrent = keras.Sequential([keras.Input([12], dtype="int32"), layers.Embedding(50, 16), layers.LSTM(8), layers.Dense(1)])
    recurrent.compile("rmsprop", "mse")
    found = tideline.fit(recurrent, batch_size=8)
    ops = {node.op for node in found._step.meta_graph.graph_def.node}
    assert "LoopCond" in ops and not any(op.endswith("PartitionedCall") for op in ops), ops


def other_optimizers():
    scaled = tideline.fit(network(), loss=SPARSE, batch_size=8, optimizer=(
        keras.optimizers if IS_3 else keras.mixed_precision).LossScaleOptimizer(keras.optimizers.SGD(momentum=0.9)))
    plain = tideline.fit(network(), loss=SPARSE, batch_size=8, optimizer=keras.optimizers.SGD(momentum=0.9))
    # Its update is in a conditional, which counts as one op.
    assert 0.8 < scaled.device_peak_bytes / plain.device_peak_bytes < 1.2, (scaled, plain)
    if not IS_3:
        old = tideline.fit(network(), loss=SPARSE, batch_size=8, optimizer=keras.optimizers.legacy.Adam())
        assert kinds(old)["optimizer_slots"] >= 2 * bytes_of(network().trainable_weights), old.kinds


def what_cannot_be_traced_is_said():
    with refused(tideline.UnsupportedGraph, "not compiled", "loss="):
        tideline.fit(network())
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
        mirrored = network(optimizer="adam", loss=SPARSE)
    with refused(tideline.UnsupportedGraph, "made in the scope of a tf.distribute strategy"):
        tideline.fit(mirrored)
    with refused(tideline.UnsupportedGraph, "cannot trace a training step of", "too bad"):
        class Broken(Subclass):
            def call(self, inputs, training=None):
                raise ArithmeticError("too bad")
        broken = Broken()
        broken.compile("adam", "mse")
        tideline.fit(broken, tf.TensorSpec([None, 100]), tf.TensorSpec([None, 3]))
    with refused(AssertionError, "a batch of 64 does not fit", "largest batch that fits is"):
        tideline.assert_fits(network(optimizer="adam", loss=SPARSE), device="1MiB", batch_size=64)
    assert tideline.assert_fits(network(), device="16GiB", batch_size=64, loss=SPARSE, optimizer="adam").fits


for test in (numbers_are_those_of_the_program, parameters_and_slots_count, a_step_is_the_step_that_keras_trains,
             training_is_the_same_after_it, slots_take_no_memory, what_is_given_says_the_batch, models_of_all_kinds,
             other_optimizers, what_cannot_be_traced_is_said):
    test()
    print(test.__name__, flush=True)
