"""tideline.replicate with the devices of a cluster, in a Python with TensorFlow 2.15 or 1.13: replicate_cluster_graphs.py FOLDER

Live graphs train on five servers to the bits of one process, a finished graph takes the cluster in every form, and what is not
there is refused, as are strategies of tf.distribute."""
import json
import os
import pathlib
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow.compat.v1 as tf

import clusters
import section_runs
import tideline
from section_runs import refused
from tideline.lms import LMS
from tideline.replicate import replicate, replicate_graph, replicate_model_fn

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)
FOLDER = pathlib.Path(sys.argv[1])
PORTS = clusters.free_ports(5)
CLUSTER = {job: ["127.0.0.1:{}".format(PORTS.pop()) for _ in range(count)] for job, count in (("chief", 1), ("worker", 2), ("ps", 2))}
TOWERS = ["/job:chief/task:0/device:CPU:0", "/job:worker/task:0/device:CPU:0", "/job:worker/task:1/device:CPU:0"]
PS = ["/job:ps/task:0/device:CPU:0", "/job:ps/task:1/device:CPU:0"]
HOW = dict(split=["x:0", "y:0"], loss="mean_loss:0", train_op="Adam")


def network(is_resource):
    """Four layers of very different sizes, the default graph's; its optimizer."""
    x, y = tf.placeholder(tf.float32, [None, 8], "x"), tf.placeholder(tf.float32, [None, 4], "y")
    with tf.variable_scope("", use_resource=is_resource):
        for at, width in enumerate((3, 50, 7, 4)):
            weights = tf.get_variable("w{}".format(at), [x.shape[1], width], initializer=tf.glorot_uniform_initializer(seed=at))
            x = tf.tanh(tf.matmul(x, weights))
        loss = tf.reduce_mean(tf.square(x - y), name="mean_loss")
        optimizer = tf.train.AdamOptimizer(0.01)
        optimizer.minimize(loss)
    return optimizer


def trained(plan, target, cpus):
    """The bits of ten losses of the default graph."""
    random, losses = np.random.RandomState(3), []
    with tf.Session(target, config=section_runs.config(cpus)) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(10):
            loss, _ = session.run([plan["loss"], plan["train_op"]], {"x:0": random.randn(12, 8), "y:0": random.randn(12, 4)})
            losses.append(loss.tobytes())
    assert len(set(losses)) == 10, losses
    return losses


def device(name):
    return tf.get_default_graph().get_operation_by_name(name).device


def live_graphs_train_to_the_bits_of_one_process():
    servers = [tf.train.Server(CLUSTER, job, at, config=section_runs.config()) for job in CLUSTER for at in range(len(CLUSTER[job]))]
    for is_resource in (False, True):
        with tf.Graph().as_default() as graph:
            network(is_resource)
            one = trained(replicate_graph(graph, ["/device:CPU:{}".format(at) for at in range(3)], **HOW), "", 3)
        for variables, swaps in (("first", False), ("ps", True), ("balanced", False)):
            with tf.Graph().as_default() as graph:
                optimizer = network(is_resource)
                # What is on a CPU is not swapped; without GPUs all of it is there in the end.
                cluster = {"cluster": CLUSTER, "devices": {"chief": ["CPU:0", "GPU:0"], "worker": ["GPU:0"]}}
                cluster = cluster if swaps else tf.train.ClusterSpec(CLUSTER)
                plan = replicate_graph(graph, cluster=cluster, variables=variables, **HOW)
                towers = [tower.replace("CPU", "GPU" if swaps else "CPU") for tower in TOWERS]
                assert [tower["device"] for tower in plan["towers"]] == towers, plan["towers"]
                assert [device(tower + "MatMul_2") for tower in ("", "tower_1/", "tower_2/")] == towers
                if swaps:
                    added = LMS(swapout_threshold=5, swapin_ahead=1, swapin_groupby=2).run(graph)
                    assert {op.device for op in added} == set(TOWERS), added
                # In turn; and the largest, w1 and w2 with 150 and 350 numbers, apart from each other.
                where = {"first": [TOWERS[0]] * 4, "ps": PS * 2, "balanced": [PS[0], PS[1], PS[0], PS[1]]}[variables]
                assert [device("w{}".format(at)) for at in range(4)] == where, [device("w{}".format(at)) for at in range(4)]
                for variable in tf.trainable_variables():
                    for slot in optimizer.get_slot_names():
                        assert optimizer.get_slot(variable, slot).device == variable.device, (variable, slot)
                assert trained(plan, servers[0].target, 1) == one, variables
            print("resources" if is_resource else "references", variables, "with swaps" if swaps else "", "on five tasks: the same bits")


def meta_graph():
    with tf.Graph().as_default():
        network(False)
        return tf.train.export_meta_graph()


def a_cluster_may_be_given_in_every_form():
    meta, path = meta_graph(), FOLDER / "cluster.json"
    path.write_text(json.dumps({"cluster": CLUSTER, "devices": {"worker": ["GPU:0", "GPU:1"]}}))
    os.environ["TF_CONFIG"] = path.read_text()
    by_file = replicate(meta, cluster=path, variables="ps", **HOW)
    assert [tower["device"] for tower in by_file.plan["towers"]] == TOWERS[:1] + [
        "/job:worker/task:{}/device:GPU:{}".format(task, gpu) for task in (0, 1) for gpu in (0, 1)], by_file.plan["towers"]
    for cluster in (str(path), str(path).encode(), json.loads(path.read_text()), "TF_CONFIG"):
        assert replicate(meta, cluster=cluster, variables="ps", **HOW).meta_graph == by_file.meta_graph, cluster
    del os.environ["TF_CONFIG"]
    by_dict = replicate(meta, TOWERS[1:], cluster=CLUSTER, variables="balanced", variable_devices=PS[1:], **HOW)
    assert [tower["device"] for tower in by_dict.plan["towers"]] == TOWERS[1:], by_dict.plan["towers"]
    assert {by_dict.plan["devices"]["w{}".format(at)] for at in range(4)} == {PS[1]}, by_dict.plan["devices"]


def what_is_not_there_is_refused():
    meta, workers = meta_graph(), {"worker": CLUSTER["worker"]}
    for words, more in ((["devices is missing"], {}),
                        (["no job ps", "chief, worker"], dict(cluster={"chief": CLUSTER["chief"], **workers}, variables="ps")),
                        (["/job:worker/task:7", "which has /job:worker/task:0"],
                         dict(cluster=workers, devices=["/job:worker/task:7/cpu:0"])),
                        (["cluster: 'worker.0' is 5"], dict(cluster={"worker": [5]})),
                        (["no_such_file.json"], dict(cluster="no_such_file.json")),
                        (["TF_CONFIG"], dict(cluster="TF_CONFIG")),
                        (["variables", "balanced"], dict(cluster=CLUSTER, variables="nowhere"))):
        refused(tideline.Refused, lambda: replicate(meta, **dict(HOW, **more)), *words)
        with tf.Graph().as_default() as graph:
            network(False)
            before = graph.as_graph_def()
            refused(tideline.Refused, lambda: replicate_graph(graph, **dict(HOW, **more)), *words)
            assert graph.as_graph_def() == before
    refused(TypeError, lambda: replicate(meta, cluster=5, **HOW), "5")


def model_fn(features, labels, mode):
    loss = tf.reduce_mean(tf.square(tf.layers.dense(features, 1) - labels))
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def data():
    return tf.data.Dataset.from_tensor_slices((np.ones((12, 3), "f"), np.ones((12, 1), "f"))).batch(6)


def strategies_are_refused():
    """What they do to a model is what towers do, and the one inside the other would be neither."""
    with tf.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy(["/device:CPU:0"])
    towers = replicate_model_fn(model_fn, devices=["/device:CPU:0", "/device:CPU:1"])
    for key in ("train_distribute", "eval_distribute"):
        config = tf.estimator.RunConfig(str(FOLDER / key), **{key: strategy})
        with tf.Graph().as_default():
            refused(tideline.UnsupportedGraph, lambda: towers(tf.ones([4, 3]), tf.ones([4, 1]), "train", None, config),
                    key + " of the RunConfig is a MirroredStrategy", "TF_CONFIG")
    estimator = tf.estimator.Estimator(towers, config=tf.estimator.RunConfig(str(FOLDER / "trained"), train_distribute=strategy))
    refused(tideline.UnsupportedGraph, lambda: estimator.train(data, steps=1), "train_distribute", "TF_CONFIG")
    with tf.Graph().as_default() as graph, strategy.scope():
        before = graph.as_graph_def()
        for work in (lambda: towers(None, None, "train"), lambda: replicate_graph(graph, cluster=CLUSTER, **HOW)):
            refused(tideline.UnsupportedGraph, work, "the scope of a MirroredStrategy", "TF_CONFIG")
        assert graph.as_graph_def() == before
    estimator = tf.estimator.Estimator(towers, config=tf.estimator.RunConfig(
        str(FOLDER / "without"), session_config=section_runs.config(2), log_step_count_steps=None))
    estimator.train(data, steps=2)


def towers_are_on_their_own_task():
    """Devices of another one would be ignored: the Estimator names the task for each op. A single task has no server."""
    os.environ["TF_CONFIG"] = json.dumps({"cluster": CLUSTER, "task": {"type": "worker", "index": 1}})
    config = tf.estimator.RunConfig(str(FOLDER / "bound"))
    os.environ["TF_CONFIG"] = json.dumps({"cluster": {"chief": CLUSTER["chief"]}, "task": {"type": "chief", "index": 0}})
    single = tf.estimator.RunConfig(str(FOLDER / "single"))
    del os.environ["TF_CONFIG"]
    for devices, found in ((["/cpu:0", "/job:worker/gpu:1"], ["/device:CPU:0", "/device:GPU:1"]), (TOWERS[2:] * 2, ["/device:CPU:0"] * 2)):
        with tf.Graph().as_default() as graph:
            replicate_model_fn(model_fn, devices=devices)(tf.ones([4, 3]), tf.ones([4, 1]), "train", None, config)
            places = [graph.get_operation_by_name(tower + "dense/MatMul").device for tower in ("", "tower_1/")]
            assert places == ["/job:worker/task:1" + part for part in found], places
    with tf.Graph().as_default():
        for devices in (TOWERS[:1], TOWERS[1:2], ["/task:0/cpu:0"]):
            towers = replicate_model_fn(model_fn, devices=devices)
            refused(ValueError, lambda: towers(tf.ones([4, 3]), tf.ones([4, 1]), "train", None, config), devices[0],
                    "another task than /job:worker/task:1")
    with tf.Graph().as_default() as graph:
        replicate_model_fn(model_fn, devices=["/cpu:0", "/cpu:1"])(tf.ones([4, 3]), tf.ones([4, 1]), "train", None, single)
        assert not any("/job:" in op.device for op in graph.get_operations())


for test in (live_graphs_train_to_the_bits_of_one_process, a_cluster_may_be_given_in_every_form, what_is_not_there_is_refused,
             strategies_are_refused, towers_are_on_their_own_task):
    test()
    print(test.__name__, flush=True)
