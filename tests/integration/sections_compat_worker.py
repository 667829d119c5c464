"""tideline.sections with compat=True, in a Python with TensorFlow: sections_compat_worker.py DATA

Networks that are built here are fed, keep and fetch what the original does, by the names in DATA/sections."""
import json
import pathlib
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

import section_networks
import section_runs
from tideline.sections import GraphSectionManager

DATA = pathlib.Path(sys.argv[1]) / "sections"
FETCHES = json.loads((DATA / "fetches.json").read_text())


class Recorded(object):
    """A session that writes down what its runs are asked."""

    def __init__(self, session):
        self.session, self.runs = session, []

    def run(self, fetches, feed=None):
        train, kept, wanted = fetches if len(fetches) == 3 else [None] + list(fetches)
        self.runs.append({"train_op": train and train.name, "caches": sorted(tensor.name for tensor in kept),
                          "fetches": sorted(each.name for each in wanted),
                          "feeds": sorted(each.name for each in feed or ())})
        return self.session.run(fetches, feed)


def names(tensors):
    return sorted(tensor.name for tensor in tensors)


def prepared(build, optimizer, **more):
    with tf.Graph().as_default() as graph:
        manager = GraphSectionManager(compat=True)
        loss, feed = build(manager, **more)
        manager.add_training_ops(optimizer(), loss)
        manager.prepare_training()
        return graph, manager, loss, feed, tf.global_variables_initializer()


def check(tag, build, optimizer, error=None, **more):
    expected = json.loads((DATA / (tag + ".json")).read_text()) if tag != "resnet_placeholder_sgd" else RESNET
    graph, manager, loss, feed, init = prepared(build, optimizer, **more)
    for section, about in zip(manager.get_sections(), expected["sections"]):
        assert section.get_training_op().name == about["train_op"], tag
        assert names(section.get_tensors_to_feed()) == sorted(about["tensors_to_feed"]), tag
        assert names(section.get_tensors_to_cache()) == sorted(about["tensors_to_cache"]), tag
    assert sorted(manager.plan["forward_cache"]) == sorted(expected["forward_cache"]), tag
    print(tag, "feeds and keeps what the original does", flush=True)
    with section_runs.session(graph) as session:
        session.run(init)
        for step, case in enumerate(FETCHES.get(tag, ())):
            recorded = Recorded(session)
            try:
                values = manager.run_full_cycle(recorded, case["fetches"], feed(step % 3))
                assert error is None and len(values) == len(case["fetches"])
            except tf.errors.InvalidArgumentError as problem:
                assert error is not None and error in str(problem), problem
            assert recorded.runs == [dict(run, **{key: sorted(run[key]) for key in ("feeds", "caches", "fetches")})
                                     for run in case["runs"]], (tag, case["fetches"], recorded.runs)
            print(" ", case["fetches"], "in", len(recorded.runs), "runs", flush=True)


# What the original has for the residual network with placeholders.
COMMON = "gradients/graph_section_{0}/scale{0}/common_bn/batchnorm/BatchNorm/"
TO_1 = ["gradients/AddN_20:0"] + [COMMON.format(2) + name for name in (
    "batchnorm/mul_1_grad/tuple/control_dependency:0", "moments/SquaredDifference_grad/tuple/control_dependency:0",
    "moments/mean_grad/truediv:0")]
TO_0 = ["gradients/AddN_33:0"] + [name.replace("_2/scale2/", "_1/scale1/") for name in TO_1[1:]]
FROM_3 = ["gradients/graph_section_3/final_pool/Mean_grad/truediv:0"]
BORDERS = ["graph_section_0/scale0/block_2/add:0", "graph_section_1/scale1/block_1/add:0",
           "graph_section_2/scale2/block_3/add:0"]
RESNET = {"forward_cache": BORDERS + ["images:0", "labels:0", "is_training:0"], "sections": [
    {"train_op": "group_deps_5", "tensors_to_feed": TO_0 + ["images:0", "is_training:0"], "tensors_to_cache": []},
    {"train_op": "group_deps_3", "tensors_to_feed": TO_1 + [BORDERS[0], "is_training:0"], "tensors_to_cache": TO_0},
    {"train_op": "group_deps_1", "tensors_to_feed": FROM_3 + [BORDERS[1], "is_training:0"], "tensors_to_cache": TO_1},
    {"train_op": "GradientDescent", "tensors_to_feed": [BORDERS[2], "labels:0"], "tensors_to_cache": FROM_3}]}


def adam_counts_a_step_for_each_section():
    """The original's numbers are not those of plain training: powers of beta are multiplied three times in a cycle."""
    graph, manager, loss, feed, init = prepared(section_networks.mlp3, section_runs.OPTIMIZERS["adam"])
    with section_runs.session(graph) as session:
        session.run(init)
        manager.run_full_cycle(session, loss, feed(0))
        power = session.run("beta1_power:0")
    assert abs(power - 0.9 ** 4) < 1e-6, power


def main():
    sgd, momentum, adam = (section_runs.OPTIMIZERS[key] for key in ("sgd", "momentum", "adam"))
    check("mlp3_sgd", section_networks.mlp3, sgd)
    check("mlp3_adam", section_networks.mlp3, adam)
    check("mlp3_queue_momentum", section_networks.mlp3, momentum, queue=True)
    check("merge4_sgd", section_networks.merge4, sgd)
    check("merge4_novar_sgd", section_networks.merge4, sgd, has_variables=False, error="'y'")
    check("resnet_placeholder_sgd", section_networks.resnet, sgd)
    check("resnet_queue_adam", section_networks.resnet, adam, queue=True)
    adam_counts_a_step_for_each_section()


main()
