"""Checks of tensorflow_ops_worker.py: variables on another device than the ops. A second CPU stands for a GPU."""
from tmci_helpers import refused, variable

import tensorflow as tf
from tideline.tmci import ops


def variables_of_other_devices_are_restored(folder):
    config = str(folder / "m")
    near, far = variable([1, 2]), None
    with tf.device("CPU:1"):
        far = tf.Variable(tf.constant([[3, 4]], tf.int32))
    mirrored = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    with mirrored.scope():
        both = tf.Variable([5., 6., 7.])
    every, names = [far, near, both], ["far", "near", "both"]
    all_values = lambda: [v.numpy().tolist() for v in (near, far, *both.values)]
    for backend in ("file", "memory"):
        for v, held in zip(every, ([[3, 4]], [1, 2], [5., 6., 7.])):
            v.assign(held)
        saved = all_values()
        ops.checkpoint(every, backend, config, names, step=1)
        for v in every:
            v.assign(tf.zeros_like(v.read_value()))
        zeros = all_values()
        refused(tf.errors.NotFoundError, lambda: ops.restore(every, backend, config, ["far", "near", "none"]), "'none'")
        assert all_values() == zeros
        ops.restore(every, backend, config, names, step=1)
        assert all_values() == saved, (backend, all_values())
        assert far.device.endswith("CPU:1") and both.values[1].device.endswith("CPU:1")

    @tf.function
    def step():
        ops.checkpoint([far, near], "memory", "elsewhere")
        far.assign_add([[1, 1]])
        ops.restore([far, near], "memory", "elsewhere")
        return far.read_value() + 10

    assert step().numpy().tolist() == [[13, 14]] and far.numpy().tolist() == [[3, 4]]


def a_session_restores_what_is_elsewhere(folder):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        with tf.device("CPU:1"):
            v = tf.compat.v1.get_variable("v", initializer=[1., 2.], use_resource=True)
        save = ops.checkpoint([v], "memory", "session elsewhere")
        change = v.assign([0., 0.], read_value=False)
        fill, fill_by_value = (ops.restore([each], "memory", "session elsewhere") for each in (v, v.read_value()))
        session.run(v.initializer)
        session.run(save)
        for restore in (fill, fill_by_value):
            session.run(change)
            session.run(restore)
            assert session.run(v).tolist() == [1, 2]
