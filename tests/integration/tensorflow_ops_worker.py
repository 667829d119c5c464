"""Tests of tideline.tmci in a TensorFlow process; run by tensorflow_ops_test.py with the package on the path.

    tensorflow_ops_worker.py PLUGIN FOLDER

Each function is a test with a folder of its own. PLUGIN has the backends `printing` and `keeping`, which were written for TMCI.
"""
import ctypes
import json
import pathlib
import shutil
import sys
import threading
import time
import traceback

# First: it keeps TensorFlow quiet.
from tmci_helpers import equal, printed, refused, small_model, train, values, variable

import numpy as np
import tensorflow as tf
import tmci_device_checks
import tmci_saver_checks
from tensorflow import keras
from tideline.tmci import checkpoint, ops, plugins

PLUGIN = sys.argv[1]


# Plugins and names

def an_unknown_backend_is_an_error(folder):
    v = variable([1, 2])

    @tf.function
    def in_a_function():
        ops.checkpoint([v], "nothing")

    for work in (lambda: ops.checkpoint([v], "nothing"), lambda: ops.restore([v], "nothing"), in_a_function):
        refused(tf.errors.NotFoundError, work, "there is no checkpoint backend 'nothing'")
    refused(tf.errors.InternalError, lambda: ops.checkpoint([v], "keeping", "throw"), "keeping: no such server")
    refused(tf.errors.InternalError, lambda: ops.checkpoint([v], "keeping", "fail"), "keeping: Save returned 42")


def a_plugin_is_loaded_once(folder):
    plugins.load(PLUGIN)
    link = folder / "link.so"
    link.symlink_to(PLUGIN)
    plugins.load(str(link))
    copy = folder / "copy.so"
    shutil.copy(PLUGIN, copy)
    refused(OSError, lambda: plugins.load(str(copy)), "is there already")
    refused(FileNotFoundError, lambda: plugins.load(str(folder / "none.so")), "none.so")
    (folder / "text.so").write_text("no library")
    refused(OSError, lambda: plugins.load(str(folder / "text.so")), "cannot be loaded")
    assert [one["name"] for one in plugins.loaded()].count("keeping") == 1


def only_numbers_and_strings_are_saved(folder):
    v = variable([1])
    refused(tf.errors.UnimplementedError, lambda: ops.checkpoint([v.handle], "memory", "r"), "resource", "expected numbers")
    refused(tf.errors.InvalidArgumentError, lambda: ops.checkpoint([], "memory"), "T")
    refused(tf.errors.InvalidArgumentError, lambda: ops.checkpoint([v], "memory", names=["a", "b"]), "'names' has 2")
    refused(tf.errors.UnimplementedError, lambda: ops.checkpoint([tf.constant(["text"])], "keeping"), "expected numbers")
    ops.checkpoint([tf.zeros([0, 3]), v], "memory", "empty")


# What is in variables

def addresses_are_those_of_variables(folder):
    v = variable(np.arange(1000))
    # As a rule a new variable still shares the memory of its constant, and a load goes to a copy then.
    v.assign_add(np.zeros(1000, np.float32))
    address = np.frombuffer(memoryview(v.read_value()), np.float32).ctypes.data
    for plugin in ("dummy", "printing"):
        with printed() as said:
            ops.checkpoint([v], plugin, "text")
            ops.restore([v], plugin, "text")
        assert said.lines == ["[DUMMY] Initialization, config: text", "[DUMMY] Saving 1 tensors:",
                              f"  data={address:#x} size=4000", "[DUMMY] Loading 1 tensors:",
                              f"  data={address:#x} size=4000"], said.lines
    assert np.array_equal(v.numpy(), np.arange(1000))


def copy_on_read_variables_are_restored(folder):
    for backend in ("memory", "keeping"):
        v = variable(np.arange(6))
        v.scatter_update(tf.IndexedSlices([7.], [1]))  # from now on, values that are read are copies
        saved = v.numpy()
        ops.checkpoint([v], backend, "sparse")
        v.scatter_update(tf.IndexedSlices([9.], [0]))
        ops.restore([v], backend, "sparse")
        assert np.array_equal(v.numpy(), saved), (backend, v)


def what_shares_the_memory_does_not_change(folder):
    for backend in ("memory", "keeping"):
        v, w = variable([1, 1]), variable([0, 0])
        ops.checkpoint([v], backend, "shared")
        v.assign([2, 2])
        snapshot = v.read_value()
        w.assign(v)
        ops.restore([v], backend, "shared")
        assert v.numpy().tolist() == [1, 1]
        assert snapshot.numpy().tolist() == [2, 2] and w.numpy().tolist() == [2, 2]


def values_are_not_restored(folder):
    v, constant = variable([1, 1]), tf.constant([5., 5.])
    ops.checkpoint([v], "memory", "values")
    refused(TypeError, lambda: ops.restore([constant], "memory", "values"), "expected a tf.Variable")
    for value in (constant, tf.identity(constant), v + 0.):
        before = value.numpy()
        refused(tf.errors.InvalidArgumentError,
                lambda: ops.library.tmci_restore(tensors=[value], backend="memory", config="values"), "TmciRestoreVariables")
        assert np.array_equal(value.numpy(), before)
    # Memory that is a variable's is another thing.
    v.assign([2, 2])
    value = v.read_value()
    ops.library.tmci_restore(tensors=[value], backend="memory", config="values")
    assert v.numpy().tolist() == [1, 1] and value.numpy().tolist() == [2, 2]


def a_graph_of_values_finds_its_variables(folder):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        v = tf.compat.v1.get_variable("a/v", initializer=[1., 2.], use_resource=True)
        u = tf.compat.v1.get_variable("u", initializer=[3., 4.], use_resource=True)
        read = v.read_value()
        save = ops.library.tmci_checkpoint(tensors=[u], backend="memory", config="graph")
        restore = ops.library.tmci_restore(tensors=[u.read_value()], backend="memory", config="graph")
        restore_copy = ops.library.tmci_restore(tensors=[u.read_value() * 2.], backend="memory", config="graph")
        by_handle = ops.restore([u.read_value()], "memory", "graph")
        change = u.assign([0., 0.])
        session.run(tf.compat.v1.global_variables_initializer())
        session.run(save)
        for op in (restore, by_handle):
            session.run(change)
            assert session.run(u).tolist() == [0, 0]
            session.run(op)
            assert session.run(u).tolist() == [3, 4]
        refused(tf.errors.InvalidArgumentError, lambda: session.run(restore_copy), "TmciRestoreVariables")
        assert session.run(read).tolist() == [1, 2]


def what_does_not_fit_changes_nothing(folder):
    v, w = variable([1, 2]), variable([3, 4, 5])
    for config in (str(folder / "file"), "memory"):
        backend = "file" if "/" in config else "memory"
        ops.checkpoint([v, w], backend, config, ["v", "w"])
        first = variable([8, 8])
        for other in (variable([8, 8]), tf.Variable([8, 8, 8])):
            refused(tf.errors.InvalidArgumentError, lambda: ops.restore([first, other], backend, config, ["v", "w"]),
                    "'w' was saved as float [3]")
        refused(tf.errors.NotFoundError, lambda: ops.restore([first, w], backend, config, ["v", "u"]), "'u'")
        refused(tf.errors.InvalidArgumentError, lambda: ops.restore([first, first], backend, config, ["v", "v"]), "twice")
        assert first.numpy().tolist() == [8, 8]


def a_failed_load_leaves_the_model_as_it_was(folder):
    model = small_model()
    train(model)
    prefix = str(folder / "model")
    checkpoint.save_weights(model, "file", prefix)
    train(model)
    before = values(model)
    data = next(folder.glob("model.data*"))
    damaged = bytearray(data.read_bytes())
    damaged[-3] ^= 4  # in the last tensor
    data.write_bytes(damaged)
    refused(tf.errors.DataLossError, lambda: checkpoint.load_weights(model, "file", prefix), "crc32c")
    assert equal(values(model), before)
    assert int(model.optimizer.iterations) == 6
    # One that was written for TMCI fails after the first tensor is overwritten.
    v, w = variable([1, 1]), variable([2])
    ops.checkpoint([v, w], "keeping", "half")
    v.assign([3, 3])
    refused(tf.errors.InternalError, lambda: ops.restore([v, w], "keeping", "half"), "Load returned 44")
    assert v.numpy().tolist() == [3, 3] and w.numpy().tolist() == [2]


# Models

def frequencies_count_epochs_and_batches(folder):
    for frequency, expected in (({"epoch": 1}, 3), ({"epoch": 2}, 2), ({"batch": 2}, 6), ({"batch": 3, "epoch": 3}, 4),
                                (None, 3)):
        model = small_model()
        with printed() as said:
            train(model, epochs=3, callbacks=[checkpoint.CheckpointCallback("dummy", str(frequency), frequency)])
        assert sum("Saving" in line for line in said.lines) == expected, (frequency, said.lines)
    for wrong in ({"epochs": 1}, {"batch": 0}, {"batch": "2"}):
        refused(ValueError, lambda: checkpoint.CheckpointCallback("dummy", "", wrong), "expected 'epoch' or 'batch'")
    refused(TypeError, lambda: checkpoint.save_weights(small_model(), 3), "backend should be a string")
    refused(TypeError, lambda: checkpoint.save_weights(small_model(), "dummy", 3), "config should be a string")


def variables_of_the_model_itself_are_saved(folder):
    class Scaled(keras.Model):
        def __init__(self):
            super().__init__()
            self.inner = keras.layers.Dense(2)
            self.scale = self.add_weight(name="scale", shape=[2], initializer="ones")

        def call(self, inputs):
            return self.inner(inputs) * self.scale

    model = Scaled()
    model.compile("sgd", "mse")
    train(model)
    before = values(model)
    checkpoint.save_weights(model, "memory", "own")
    train(model)
    report = checkpoint.load_weights(model, "memory", "own")
    assert equal(values(model), before)
    assert {"inner/kernel", "inner/bias", "scale", "optimizer/iteration"} <= set(report.restored), report


def names_do_not_depend_on_what_was_made_before(folder):
    first = small_model()
    train(first)
    checkpoint.save_weights(first, "file", str(folder / "m"))
    second = small_model(seed=2)  # its layers are called dense_2 and dense_3, or later
    assert second.weights[0].name != first.weights[0].name
    report = checkpoint.load_weights(second, "file", str(folder / "m"))
    assert equal(values(second), values(first)) and len(report.restored) == 13
    # The old Adam has all m before all v, the new one m and v of each variable.
    third = small_model(optimizer=keras.optimizers.legacy.Adam(), seed=3)
    checkpoint.load_weights(third, "file", str(folder / "m"))
    m = {v.name: v for v in first.optimizer.variables}
    slots = [third.optimizer.get_slot(w, "v").numpy() for w in third.trainable_variables]
    wanted = [next(v for n, v in m.items() if f"v/{w.name}" in n).numpy() for w in first.trainable_variables]
    assert equal(slots, wanted) and equal(third.get_weights(), first.get_weights())


def differences_are_reported(folder):
    model = small_model()
    train(model)
    checkpoint.save_weights(model, "memory", "strict", include_optimizer=False)
    other = small_model(units=5)
    train(other)
    before = values(other)
    text = refused(ValueError, lambda: checkpoint.load_weights(other, "memory", "strict"),
                   "not saved: optimizer/iteration", "layer_with_weights-0/kernel: saved as float32 [4, 3], the variable is "
                   "float32 [4, 5]")
    assert "not in the model" not in text
    assert equal(values(other), before)
    report = checkpoint.load_weights(other, "memory", "strict", include_optimizer=False, strict=False)
    assert report.restored == ["layer_with_weights-1/bias"] and len(report.mismatched) == 3 and not report.missing
    assert np.array_equal(other.weights[3], model.weights[3])
    checkpoint.save_weights(model, "memory", "strict")
    report = checkpoint.load_weights(model, "memory", "strict", include_optimizer=False)
    assert len(report.restored) == 4 and not report.unexpected


# Many at a time, and later

def threads_do_not_disturb_each_other(folder):
    problems = []

    def work(number):
        try:
            v = variable(np.full(50000, number))
            for _ in range(10):
                # Seven configurations in all: `keeping` forgets what it has when it is closed as the ninth.
                for backend, config in (("keeping", f"thread {number}"), ("file", str(folder / f"m{number}")), ("keeping", "one")):
                    ops.checkpoint([v], backend, config)
                    if config != "one":  # which has what the last thread saved
                        v.assign(tf.zeros_like(v))
                        ops.restore([v], backend, config)
                        assert np.array_equal(v.numpy(), np.full(50000, number)), (backend, config)
        except Exception:
            problems.append(traceback.format_exc())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems[0]


def nothing_collects_with_the_steps(folder):
    v = variable([1])
    live = ctypes.CDLL(PLUGIN).live_keeping_backends
    for step in range(40):
        ops.checkpoint([v], "keeping", f"configuration of step {step}")
    assert live() <= 9, live()  # the last eight stay open
    with printed() as said:
        for step in range(40):
            ops.checkpoint([v], "printing", "steps", step=step)
    assert sum("Initialization" in line for line in said.lines) == 1
    config = json.dumps({"path": str(folder / "m-{step}"), "keep_last": 2})
    for step in range(5):
        v.assign([step])
        ops.checkpoint([v], "file", config, ["v"], step=step)
    assert sorted(p.name for p in folder.glob("*.index")) == ["m-3.index", "m-4.index"]
    assert tf.train.latest_checkpoint(str(folder)) == str(folder / "m-4")
    for step, expected in ((None, 4), (3, 3)):
        ops.restore([v], "file", config, ["v"], step=step)
        assert v.numpy().tolist() == [expected]


def a_save_in_the_background_keeps_what_was(folder):
    size = 4 << 20
    v = variable(np.arange(size))
    w = variable(np.ones(size))
    w.scatter_update(tf.IndexedSlices([3.], [0]))
    saved = v.numpy(), w.numpy()
    config = json.dumps({"path": str(folder / "m"), "async": True})
    ops.checkpoint([variable([0])], "file", config)  # opens the backend
    checkpoint.wait("file", config)
    began = time.monotonic()
    ops.checkpoint([v], "file", config, ["v"])
    took = 1000 * (time.monotonic() - began)
    for _ in range(3):
        v.assign_add(tf.ones_like(v))
    v.scatter_update(tf.IndexedSlices([5.], [1]))
    checkpoint.wait("file", config)
    read = tf.train.load_checkpoint(str(folder / "m")).get_tensor("v")
    assert np.array_equal(read, saved[0]) and v.numpy()[0] == 3
    ops.checkpoint([w], "file", config, ["w"])
    w.scatter_update(tf.IndexedSlices([4.], [0]))
    checkpoint.wait("file", config)
    assert np.array_equal(tf.train.load_checkpoint(str(folder / "m")).get_tensor("w"), saved[1])
    (folder / "gone").write_text("no folder")
    config = json.dumps({"path": str(folder / "gone/m"), "async": True})
    ops.checkpoint([v], "file", config)
    refused(tf.errors.InternalError, lambda: checkpoint.wait("file", config), "gone")
    print(f"  a save of 16 MiB in the background returned after {took:.1f} ms")


def functions_save_in_their_order(folder):
    v = variable([1])

    @tf.function
    def step():
        ops.checkpoint([v], "memory", "function")
        v.assign_add([1])
        before = v.read_value()
        ops.restore([v], "memory", "function")
        return before, v.read_value()

    assert [t.numpy().tolist() for t in step()] == [[2], [1]]


TESTS = [value for value in [*globals().values(), *vars(tmci_device_checks).values(), *vars(tmci_saver_checks).values()]
         if callable(value) and getattr(value, "__code__", None) and
         value.__code__.co_varnames[:value.__code__.co_argcount] == ("folder",)]


def main():
    # A second device, as a GPU would be one.
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    plugins.load(PLUGIN)
    failed = []
    for test in TESTS:
        folder = pathlib.Path(sys.argv[2]) / test.__name__
        folder.mkdir()
        try:
            test(folder)
            print(test.__name__, flush=True)
        except Exception:
            failed.append(test.__name__)
            print(f"{test.__name__} failed:\n{traceback.format_exc()[-3000:]}", flush=True)
    print(f"{len(TESTS) - len(failed)} of {len(TESTS)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
