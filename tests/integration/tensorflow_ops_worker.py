"""Tests of tideline.tmci in a TensorFlow process; run by tensorflow_ops_test.py with the package on the path.

    tensorflow_ops_worker.py PLUGIN FOLDER

Each function is a test with a folder of its own. PLUGIN has the backends `printing` and `keeping`, which were written for TMCI.
"""
import ctypes
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time
import traceback

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from tensorflow import keras

from tideline.tmci import checkpoint, ops, plugins

PLUGIN = sys.argv[1]


class printed:
    """What is printed meanwhile, by C++ too."""

    def __enter__(self):
        sys.stdout.flush()
        self.kept, self.file = os.dup(1), tempfile.TemporaryFile("w+")
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        os.dup2(self.kept, 1)
        os.close(self.kept)
        self.file.seek(0)
        self.lines = self.file.read().splitlines()


def refused(error, work, *words):
    """`work` fails with `error`, whose text has all words."""
    try:
        work()
    except error as problem:
        text = str(problem)
        assert all(word in text for word in words), text
        return text
    raise AssertionError(f"expected {error.__name__} with {words}")


def variable(values, **more):
    return tf.Variable(tf.constant(values, tf.float32), **more)


def small_model(units=3, optimizer="adam", seed=1):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([keras.layers.Dense(units, input_shape=(4,)), keras.layers.Dense(2)])
    model.compile(optimizer, "mse")
    return model


def train(model, batches=3, **more):
    random = np.random.default_rng(0)
    model.fit(random.normal(size=(8 * batches, 4)).astype("f"), random.normal(size=(8 * batches, 2)).astype("f"),
              batch_size=8, verbose=0, shuffle=False, **more)


def values(model):
    optimizer = model.optimizer.variables
    return [v.numpy() for v in model.weights + list(optimizer() if callable(optimizer) else optimizer)]


def equal(first, second):
    return len(first) == len(second) and all(np.array_equal(a, b) for a, b in zip(first, second))


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


# In place of SaveV2 and RestoreV2

def a_saver_reads_what_tmci_save_wrote(folder):
    full = np.arange(24, dtype="f").reshape(6, 4)
    parts = [full[:3], full[3:, :1], full[3:, 1:]]
    slices = ["6 4 0,3:-", "6 4 3,3:0,1", "6 4 3,3:1,3"]
    texts = tf.constant([["ä", ""], ["x" * 300, "\0"]])
    prefix = str(folder / "new/m")
    ops.library.tmci_save(prefix=prefix, tensor_names=["w"] * 3 + ["text", "n"], shape_and_slices=slices + ["", ""],
                          tensors=[*parts, texts, tf.constant(7, tf.int64)], backend="file")
    reader = tf.train.load_checkpoint(prefix)
    assert np.array_equal(reader.get_tensor("w"), full) and reader.get_tensor("n") == 7
    assert np.array_equal(reader.get_tensor("text"), texts.numpy())
    read = tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=["w", "w"], shape_and_slices=["6 4 2,3:1,2", ""],
                                dtypes=[tf.float32, tf.float32])
    assert np.array_equal(read[0], full[2:5, 1:3]) and np.array_equal(read[1], full)
    loaded = ops.library.tmci_load(prefix=prefix, tensor_names=["w", "text", "w", "n"], backend="file",
                                   shape_and_slices=["6 4 2,3:1,2", "", "", ""],
                                   dtypes=[tf.float32, tf.string, tf.float32, tf.int64])
    assert np.array_equal(loaded[0], full[2:5, 1:3]) and np.array_equal(loaded[2], full) and loaded[3].numpy() == 7
    assert np.array_equal(loaded[1].numpy(), texts.numpy())
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        w = tf.compat.v1.get_variable("w", [6, 4])
        n = tf.compat.v1.get_variable("n", [], tf.int64)
        tf.compat.v1.train.Saver([w, n]).restore(session, prefix)
        assert np.array_equal(session.run(w), full) and session.run(n) == 7


def tmci_load_reads_what_a_saver_wrote(folder):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        w = tf.compat.v1.get_variable("w", [6, 4], partitioner=tf.compat.v1.fixed_size_partitioner(2))
        t = tf.compat.v1.get_variable("t", initializer=["a", "bc"], dtype=tf.string)
        session.run(tf.compat.v1.global_variables_initializer())
        whole = session.run(tf.convert_to_tensor(w))
        for sharded in (False, True):
            prefix = tf.compat.v1.train.Saver(sharded=sharded).save(session, str(folder / f"m{sharded}"))
            for backend in ("file", "safetensors"):
                loaded = ops.library.tmci_load(prefix=prefix, tensor_names=["w", "t", "w"], backend=backend,
                                               shape_and_slices=["", "", "6 4 3,3:-"],
                                               dtypes=[tf.float32, tf.string, tf.float32])
                read = session.run(loaded)
                assert np.array_equal(read[0], whole) and read[1].tolist() == [b"a", b"bc"]
                assert np.array_equal(read[2], whole[3:])


def what_save_and_load_cannot_do_is_named(folder):
    prefix, one = str(folder / "m"), tf.ones([3, 4])

    def save(names, slices, tensors, backend="file", config="", place=prefix):
        ops.library.tmci_save(prefix=place, tensor_names=names, shape_and_slices=slices, tensors=tensors, backend=backend,
                              config=config)

    refused(tf.errors.UnimplementedError, lambda: save(["w"], ["6 4 0,3:-"], [one]), "'w'", "not the whole of [6,4]")
    for text in ("6 4", "6 4 0,7:-", "6 0,3:-", "6 4 a,3:-", "-1 4 0,3:-", " ", "6 4 0,3:-:-",
                 "9999999999999999999 4 0,3:-", "999999999999999999 999999999999999999 0,3:-"):
        refused(tf.errors.InvalidArgumentError, lambda: save(["w"], [text], [one]), "is no slice")
    refused(tf.errors.InvalidArgumentError, lambda: save(["w"], ["3 3 -:-"], [one]), "its slice")
    refused(tf.errors.InvalidArgumentError, lambda: save(["w", "x"], [""], [one]), "'tensor_names' has 2")
    refused(tf.errors.InvalidArgumentError, lambda: save(["w", "w"], ["", ""], [one, one]), "twice")
    refused(tf.errors.InvalidArgumentError, lambda: save(["w"], [""], [one], config="text"), "expected nothing or a JSON")
    refused(tf.errors.InvalidArgumentError, lambda: save(["w"], [""], [one], config='{"path": "x"}'), "'path'")
    refused(tf.errors.InvalidArgumentError, lambda: save(["w"], [""], [one], config='{"speed": 1}'), "'speed'")
    assert not list(folder.iterdir())
    save(["w"], [""], [one], config='{"incremental": true}', place=str(folder / '{"odd"'))
    save(["w"], [""], [one])

    def load(names, slices, dtypes, backend="file", place=prefix):
        return ops.library.tmci_load(prefix=place, tensor_names=names, shape_and_slices=slices, dtypes=dtypes, backend=backend)

    refused(tf.errors.NotFoundError, lambda: load(["v"], [""], [tf.float32]), "has no tensor 'v'")
    refused(tf.errors.InvalidArgumentError, lambda: load(["w"], [""], [tf.int32]), "is of type float; expected int32")
    refused(tf.errors.InvalidArgumentError, lambda: load(["w"], ["6 4 0,3:-"], [tf.float32]), "[6,4]")
    refused(tf.errors.NotFoundError, lambda: load(["w"], [""], [tf.float32], place=prefix + "x"), "mx")
    refused(tf.errors.UnimplementedError, lambda: load(["w"], [""], [tf.float32], backend="dummy"), "cannot list")


TESTS = [value for value in list(globals().values()) if callable(value) and getattr(value, "__code__", None) and
         value.__code__.co_varnames[:value.__code__.co_argcount] == ("folder",)]


def main():
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
