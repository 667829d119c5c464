"""Tests of the ops that stand in place of SaveV2 and RestoreV2; run by tensorflow_ops_worker.py."""
import numpy as np
import tensorflow as tf
from tideline.tmci import ops

from tmci_helpers import refused


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
