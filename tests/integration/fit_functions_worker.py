"""Fits of functions, in a Python with TensorFlow 2.15: fit_functions_worker.py PROGRAM REPOSITORY FOLDER"""
import sys

import numpy as np
import tensorflow as tf

import tideline
from front_graphs import refused

WEIGHTS = tf.Variable(tf.ones([100, 50]), name="dense/kernel")
SLOT = tf.Variable(tf.zeros([100, 50]), name="dense/kernel/momentum", trainable=False)
BIG = tf.constant(np.full([100, 50], 2.0, "f"))
calls = []


@tf.function
def step(x, y=None, rate=0.1):
    calls.append(x.shape)
    with tf.GradientTape() as tape:
        with tf.name_scope("dense"):
            loss = tf.reduce_mean(tf.nn.relu(tf.matmul(x, WEIGHTS)))
    gradient = tape.gradient(loss, WEIGHTS)
    SLOT.assign(0.9 * SLOT + gradient)
    WEIGHTS.assign_sub(rate * SLOT)
    return loss


def ops(found):
    return {node.name: node for node in found._step.meta_graph.graph_def.node}


def variables(found):
    return sorted(node.name for node in ops(found).values() if node.op == "VarHandleOp")


def functions_are_traced_and_not_run():
    before = WEIGHTS.numpy()
    spec = tf.TensorSpec([None, 100])
    found = tideline.fit(step, spec, batch_size=1000)
    assert (WEIGHTS.numpy() == before).all() and len(calls) == 1 and calls[0].as_list() == [None, 100]
    assert variables(found) == ["dense/kernel", "dense/kernel/momentum"], variables(found)
    kinds = {kind["kind"]: kind["bytes"] for kind in found.kinds}
    assert 2 * 4 * 5000 <= kinds["variables"] + kinds.get("optimizer_slots", 0) < 2 * 4 * 5000 + 1024, kinds
    assert found.device_peak_bytes > 1000 * 4 * 150 and found.alive_at_peak, found
    for function in (step, step.python_function):
        for given in ((np.zeros([1000, 100], "f"),), (tf.zeros([1000, 100]),)):
            again = tideline.fit(function, *given)
            assert (again.batch_size, again.device_peak_bytes) == (1000, found.device_peak_bytes), (again, found)
    concrete = step.get_concrete_function(spec)
    assert tideline.fit(concrete, batch_size=1000).device_peak_bytes == found.device_peak_bytes
    with refused(TypeError, "no specs"):
        tideline.fit(concrete, spec)
    assert (WEIGHTS.numpy() == before).all()
    assert tideline.fit(step, tf.TensorSpec([1000, 100])).largest_batch is None


def methods_and_arguments_of_other_kinds():
    class Trainer(tf.Module):
        def __init__(self):
            super().__init__()
            self.kernel = None

        @tf.function
        def train(self, batch, twice):
            if self.kernel is None:
                self.kernel = tf.Variable(tf.ones([10, 10]))
            self.kernel.assign_add(tf.matmul(batch["x"], batch["x"], transpose_a=True) * (2.0 if twice else 1.0))
            return tf.reduce_sum(self.kernel)

    trainer = Trainer()
    found = tideline.fit(trainer.train, {"x": np.ones([20, 10], "f"), "y": [tf.zeros([20])]}, True)
    assert found.batch_size == 20 and len(variables(found)) == 1, (found, variables(found))
    assert float(trainer.train({"x": tf.ones([20, 10]), "y": [tf.zeros([20])]}, True)) == 100 * 41.0
    forward = tideline.fit(lambda x: tf.matmul(x, BIG), tf.TensorSpec([None, 100]), batch_size=100)
    assert forward.device_peak_bytes >= 4 * (100 * 100 + 100 * 50 + 100 * 50) and not variables(forward), forward


def devices_are_those_that_the_program_asks_for():
    """Not those of this machine, where the CPU has all variables: its memory would be the host's."""
    with tf.device("/CPU:0"):
        placed = tf.Variable(tf.ones([100, 50]), name="placed")

    def work(x):
        with tf.device(placed.device):
            y = tf.matmul(x, placed, name="beside")
        with tf.device("/CPU:0"):
            return tf.nn.relu(y, name="asked")

    found = ops(tideline.fit(work, tf.TensorSpec([None, 100])))
    assert (found["placed"].device, found["beside"].device, found["asked"].device) == ("", "", "/device:CPU:0"), found


def calls_are_inlined_and_loops_run():
    inner = tf.function(lambda x: tf.nn.relu(tf.matmul(x, WEIGHTS)), autograph=False)

    @tf.function
    def outer(x):
        for _ in tf.range(3):
            x = tf.matmul(inner(x), WEIGHTS, transpose_b=True)
        if tf.reduce_sum(x) > 0:
            WEIGHTS.assign_add(tf.ones_like(WEIGHTS))
        return x

    found = tideline.fit(outer, tf.TensorSpec([None, 100]), batch_size=1000)
    kinds = {node.op for node in ops(found).values()}
    assert "LoopCond" in kinds and "MatMul" in kinds and not any(kind.endswith(("PartitionedCall", "While")) for kind in kinds), kinds
    assert variables(found) == ["dense/kernel"] and found.device_peak_bytes > 1000 * 4 * 100, found


def names_of_variables_are_unique():
    same = [tf.Variable(tf.ones([3]), name="same") for _ in range(3)] + [tf.Variable(1.0, name="x")]
    found = tideline.fit(lambda x: sum(tf.reduce_sum(x * one) for one in same), tf.TensorSpec([None, 3]))
    assert variables(found) == ["same", "same_1", "same_2", "x_1"], variables(found)


def what_cannot_be_traced_is_said():
    with refused(tideline.UnsupportedGraph, "TensorFlow cannot trace the function (without specs"):
        tideline.fit(step)
    with refused(tideline.UnsupportedGraph, "cannot trace the function: ", "too_bad"):
        tideline.fit(lambda x: tf.debugging.check_numerics(x.too_bad, ""), tf.TensorSpec([None]))
    with refused(tideline.UnsupportedGraph, "eager code has no graph", "give a model"):
        tideline.fit()
    with refused(TypeError, "optimizer"):
        tideline.fit(step, tf.TensorSpec([None, 100]), optimizer="adam")
    with refused(TypeError, "tf.Graph"):
        tideline.fit(3)
    with refused(AssertionError, "does not fit"):
        tideline.assert_fits(step, tf.TensorSpec([None, 100]), device="1MiB", batch_size=2000)


for test in (functions_are_traced_and_not_run, methods_and_arguments_of_other_kinds,
             devices_are_those_that_the_program_asks_for, calls_are_inlined_and_loops_run,
             names_of_variables_are_unique, what_cannot_be_traced_is_said):
    test()
    print(test.__name__, flush=True)
