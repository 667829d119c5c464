"""Trains networks in sections with tideline.sections, in a Python with TensorFlow 2.15 or 1.13: bit for bit like one run for each
step. sections_worker.py [resnet]"""
import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

import section_networks
import section_runs
import tideline
from section_runs import refused
from tideline.sections import GraphSectionManager

STEPS = 3


class Training(object):
    """A network with its training ops, in a graph of its own."""

    def __init__(self, build, optimizer, wanted=lambda graph: {}, **more):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(7)
            self.manager = GraphSectionManager()
            self.loss, self.feed = build(self.manager, **more)
            step = tf.train.get_or_create_global_step()
            self.manager.add_training_ops(section_runs.OPTIMIZERS[optimizer](), self.loss, global_step=step,
                                          summaries=["gradients"])
            self.wanted = dict(wanted(self.graph), loss=self.loss)
            self.init = tf.global_variables_initializer()

    def run(self, in_sections, steps=STEPS):
        """The values of all steps, and the variables at the end."""
        with section_runs.session(self.graph) as session:
            session.run(self.init)
            found = []
            for number in range(steps):
                if in_sections:
                    found.append(self.manager.run_full_cycle(session, self.wanted, self.feed(number)))
                else:
                    found.append(session.run([self.manager.train_op, self.wanted], self.feed(number))[1])
            return found, session.run({v.name: v for v in self.graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)})


def equal(first, second):
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(equal(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(equal, first, second))
    return np.asarray(first).tobytes() == np.asarray(second).tobytes()


def check(name, build, optimizer, **more):
    plain, cycle = Training(build, optimizer, **more), Training(build, optimizer, **more)
    cycle.manager.prepare_training()
    expected, found = plain.run(False), cycle.run(True)
    for ours, theirs in zip(found[0], expected[0]):
        different = [key for key in theirs if not equal(ours[key], theirs[key])]
        assert not different, (name, different, ours["loss"], theirs["loss"])
    assert equal(expected[1], found[1]), name
    losses = [values["loss"] for values in found[0]]
    assert np.isfinite(losses).all() and len(set(map(float, losses))) == STEPS, losses
    assert found[1]["global_step:0"] == STEPS
    print(name, optimizer, "trains like one run:", *map(float, losses), flush=True)
    return cycle


def small_networks():
    for optimizer in ("sgd", "momentum", "adam"):
        check("mlp3", section_networks.mlp3, optimizer)
        check("merge4", section_networks.merge4, optimizer)
    check("a section without variables", section_networks.merge4, "adam", has_variables=False)
    check("a queue", section_networks.mlp3, "adam", queue=True)
    tf.enable_resource_variables()
    check("resource variables", section_networks.merge4, "adam")
    tf.disable_resource_variables()


def placeholders_are_used_anywhere():
    """A learning rate that is fed, a loss outside of all sections, an empty section, and a flag that has a value already."""
    def build(manager):
        x, y, feed = section_networks.vectors(False)
        keep = tf.placeholder_with_default(0.5, [], "keep")
        rate = tf.placeholder(tf.float32, [], "rate")
        section_runs.OPTIMIZERS["fed"] = lambda: tf.train.AdamOptimizer(rate)
        with manager.new_section():
            found = tf.tanh(section_networks.dense(x, 16, "l0"))
        with manager.new_section():
            pass
        with manager.new_section():
            found = tf.nn.dropout(tf.nn.relu(section_networks.dense(found, 16, "l1")), rate=1 - keep) * keep
        with manager.new_section():
            found = section_networks.dense(found, 4, "l2")
        return section_networks.loss_of(found, y), lambda step: {
            **feed(step), **({rate: 0.1, keep: 0.9} if step == 1 else {"rate:0": 0.01})}

    manager = check("placeholders anywhere", build, "fed").manager
    sections = manager.get_sections()
    assert not sections[1].get_tensors_to_feed() and sections[1].get_training_op() is None
    assert [len(sections[0].get_collection(key)) for key in ("trainable_variables", "none")] == [2, 0]


def anything_can_be_fed():
    """A sparse placeholder, also with compat=True, and a tensor between two sections in place of its value."""
    def build(manager):
        rows = tf.sparse_placeholder(tf.float32, [8, 12], "rows")
        x = tf.sparse_tensor_to_dense(rows)
        x.set_shape([8, 12])
        with manager.new_section():
            first = tf.tanh(section_networks.dense(x, 16, "l0"))
        middle = tf.identity(first, "middle")
        with manager.new_section():
            loss = section_networks.loss_of(section_networks.dense(middle, 4, "l1"), tf.zeros([8, 4]))
        value = tf.SparseTensorValue([[0, 3], [4, 5]], [1.0, 2.0], [8, 12])
        return loss, lambda step: {rows: value, **({middle: np.full([8, 16], 0.5)} if step == 1 else {})}

    check("sparse rows", build, "adam")
    with tf.Graph().as_default() as graph:
        manager = GraphSectionManager(compat=True)
        loss, feed = build(manager)
        manager.add_training_ops(section_runs.OPTIMIZERS["sgd"](), loss)
        manager.prepare_training()
        with section_runs.session(graph) as session:
            session.run(tf.global_variables_initializer())
            expected = session.run(loss, feed(0))
            assert equal(manager.run_full_cycle(session, loss, feed(0)), expected)


def sections_may_lie_in_each_other():
    """And a graph may have several managers, whose sections then have other scopes."""
    def build(manager):
        other = GraphSectionManager()
        with other.new_section():
            pass
        x, y, feed = section_networks.vectors(False)
        with tf.variable_scope("v"), manager.new_section():
            found = tf.tanh(section_networks.dense(x, 16, "l0"))
            with manager.new_section():
                found = tf.tanh(section_networks.dense(found, 16, "l1"))
        with manager.new_section():
            loss = section_networks.loss_of(section_networks.dense(found, 4, "l2"), y)
        return loss, feed

    sections = check("nested sections", build, "adam").manager.get_sections()
    assert [section.get_scope() for section in sections] == [
        "v/graph_section_0", "v/graph_section_0/graph_section_1", "graph_section_2"]


def anything_can_be_fetched():
    """Gradients, their norm and histograms, activations, updates, and what lies outside of all sections."""
    def wanted(graph):
        tensor = graph.get_tensor_by_name
        gradients = [tensor("gradients/graph_section_{}/l{}/MatMul_grad/tuple/control_dependency_1:0".format(*at))
                     for at in ((0, 0), (1, 2), (2, 4))]
        return {"gradients": gradients, "norm": tf.global_norm(gradients), "outside": ["outside_two:0", "outside_none:0"],
                "histograms": tf.summary.merge_all("gradients"), "activation": tensor("graph_section_1/Tanh:0"),
                "mixed": (tf.reduce_sum(gradients[0]) + tensor("graph_section_0/Tanh:0")[0, 0], "x:0"),
                "an op": graph.get_operation_by_name("graph_section_1/Tanh")}

    cycle = check("fetches", section_networks.mlp3, "adam", wanted=wanted)
    with cycle.graph.as_default():
        with tf.control_dependencies([cycle.manager.train_op]):
            late = tf.identity(cycle.loss, "late")
    with section_runs.session(cycle.graph) as session:
        session.run(cycle.init)
        before = session.run("l1/w:0")
        refused(tideline.Error, lambda: cycle.manager.run_full_cycle(session, late, cycle.feed(0)), "'late' waits for")
        assert equal(before, session.run("l1/w:0"))
        assert equal(before, cycle.manager.run_full_cycle(session, "l1/w:0", cycle.feed(0)))
        assert not equal(before, session.run("l1/w:0"))
        # The two halves by themselves.
        gradient = "gradients/graph_section_1/l2/MatMul_grad/tuple/control_dependency_1:0"
        expected = session.run([cycle.loss, gradient], cycle.feed(0))
        loss = cycle.manager.run_forward(session, cycle.loss, cycle.feed(0))
        values = cycle.manager.run_backward(session, [[], [gradient], []])
        assert equal([loss, values[1][0]], expected) and [len(part) for part in values] == [0, 1, 0]
        assert session.run("global_step:0") == 2


def misuse_is_told():
    with tf.Graph().as_default():
        refused(AssertionError, GraphSectionManager().prepare_training, "at least one GraphSection")
        refused(AssertionError, lambda: GraphSectionManager().add_training_ops(None), "gradients or loss")
        manager = GraphSectionManager()
        section_networks.mlp3(manager)
        refused(tideline.Error, manager.prepare_training, "add_training_ops")
        refused(tideline.Error, lambda: manager.run_full_cycle(None), "prepare_training")

    def build(manager):
        with manager.new_section():
            tf.constant(1.0)
        return section_networks.mlp3(manager)

    training = Training(build, "sgd")
    before = training.graph.as_graph_def()
    refused(tideline.Refused, training.manager.prepare_training, "graph_section_0", "no op of the forward pass")
    assert before == training.graph.as_graph_def()


def one_section_is_one_run():
    def build(manager):
        x, y, feed = section_networks.vectors(False)
        with manager.new_section():
            loss = section_networks.loss_of(section_networks.dense(x, 4, "l0"), y)
        return loss, feed

    assert check("one section", build, "adam").manager.plan is None


def main():
    if sys.argv[1:] == ["resnet"]:
        cycle = check("four sections of a residual network", section_networks.resnet, "adam")
        print(*cycle.manager.plan.said, sep="\n")
        assert max(len(section.get_tensors_to_feed()) for section in cycle.manager.get_sections()) <= 2
        check("the same from a queue", section_networks.resnet, "momentum", queue=True)
        return
    for test in (small_networks, placeholders_are_used_anywhere, anything_can_be_fed, sections_may_lie_in_each_other,
                 anything_can_be_fetched, misuse_is_told, one_section_is_one_run):
        test()
        print(test.__name__, flush=True)


main()
