"""tideline.replicate in a Python with TensorFlow 2.15 or 1.13: replicate_front_worker.py REPOSITORY

Model functions train, evaluate and predict under Estimators with the numbers that the original's graphs give in the same run
(tests/support/reference_towers.py)."""
import os
import pathlib
import sys
import tempfile
import time

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

sys.path.insert(0, os.path.join(sys.argv[1], "tests/support"))
import section_runs
import tideline
from reference_towers import Reference
from section_runs import refused
from tideline.replicate import TowerOptimizer, replicate, replicate_graph, replicate_model_fn

DATA = pathlib.Path(sys.argv[1]) / "tests/data"
IS_1 = tf.__version__.startswith("1.")
REFERENCE = Reference(DATA / "replicate", runs=not IS_1)  # TensorFlow 1.13 does not know all ops of its graphs
ORACLE = REFERENCE.oracle
TRAIN, EVAL, PREDICT = (getattr(tf.estimator.ModeKeys, key) for key in ("TRAIN", "EVAL", "PREDICT"))
OPTIMIZERS = {"sgd": lambda: tf.train.GradientDescentOptimizer(0.05),
              "momentum": lambda params: tf.train.MomentumOptimizer(params["rate"], 0.9),
              "adam": lambda: tf.train.AdamOptimizer(0.01)}


def cpus(count):
    return ["/device:CPU:{}".format(at) for at in range(count)]


def batch(number):
    random = np.random.RandomState(300 + number)
    return random.randn(12, 6), random.randint(0, 20, 12), random.randn(12, 1)


def input_fn(batches=3, static=False):
    x, ids, labels = (np.concatenate(part) for part in zip(*map(batch, range(batches))))
    rows = ({"x": x.astype(np.float32), "ids": ids.astype(np.int32)}, labels.astype(np.float32))
    return tf.data.Dataset.from_tensor_slices(rows).batch(12, drop_remainder=static)


def network(features, params):
    """The model of the data: an embedding and two layers, with the values from which the original began."""
    def variable(name):
        value = np.array(ORACLE["init"]["model/" + name], np.float32)
        return tf.get_variable(name, value.shape, initializer=tf.constant_initializer(value))

    with tf.variable_scope("model", use_resource=params.get("res", False)):
        rows = tf.nn.embedding_lookup(variable("table"), features["ids"], name="lookup")
        inputs = tf.concat([features["x"], rows], 1)
        h = tf.tanh(tf.matmul(inputs, variable("w1")) + variable("b1"), name="h")
        return tf.add(tf.matmul(h, variable("w2")), variable("b2"), name="y"), h


def model_fn(features, labels, mode, params):
    y, h = network(features, params)
    if mode == PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y, "h": h})
    loss = tf.reduce_mean(tf.square(y - labels), name="mean_loss")
    metrics = {"mse": tf.metrics.mean_squared_error(labels, y), "mean_y": tf.metrics.mean(y)}
    scaffold = None
    if params.get("scaffold"):
        scaffold = tf.train.Scaffold(local_init_op=tf.group(tf.local_variables_initializer()))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.no_op(), eval_metric_ops=metrics, scaffold=scaffold)


def estimator(function, **params):
    return tf.estimator.Estimator(function, tempfile.mkdtemp(dir=FOLDER.name), tf.estimator.RunConfig(
        session_config=section_runs.config(3), log_step_count_steps=None), dict(params, rate=0.05))


class Losses(tf.train.SessionRunHook):
    """Writes down what the loss of the towers is in every step."""

    def __init__(self):
        self.found = []

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(tf.get_default_graph().get_tensor_by_name("loss:0"))

    def after_run(self, run_context, run_values):
        self.found.append(run_values.results)


def trained(function, steps=3, read=input_fn, **params):
    """The losses of some steps, and the estimator."""
    made, losses = estimator(function, **params), Losses()
    made.train(read, hooks=[losses], steps=steps)
    return losses.found, made


def training_has_the_numbers_of_the_original():
    for key in ("sgd_res", "momentum_res", "momentum", "adam_res", "adam"):
        for count in (1, 2):
            # With ref variables the original reads and writes at once; its numbers with resource variables are free of that.
            expected = REFERENCE.trained(key.split("_")[0] + "_res", count)
            function = replicate_model_fn(model_fn, OPTIMIZERS[key.split("_")[0]], cpus(count))
            losses, made = trained(function, res=key.endswith("_res"))
            expected.check("losses", losses, (key, count))
            for name in set(made.get_variable_names()) & set(expected.values):
                expected.check(name, made.get_variable_value(name), (key, count))
            assert {"model/table", "model/w1", "global_step"} <= set(made.get_variable_names())
            print(key, "on", count, "devices:", *losses, flush=True)


def evaluation_has_the_numbers_of_the_original():
    """With an initializer of the user's, and with metrics that are resource variables, as they are by default since version 2."""
    expected = REFERENCE.evaluated(2)
    for params in ({}, {"scaffold": True}, {"res": True}):
        if "res" in params:
            tf.enable_resource_variables()
        made = trained(replicate_model_fn(model_fn, lambda: tf.train.GradientDescentOptimizer(0.0), cpus(2)), 1, **params)[1]
        found = made.evaluate(input_fn)
        tf.disable_resource_variables()
        for name in ("mse", "mean_y"):
            expected.check(name + " 2", found[name], params)
        losses = [expected.values["loss {}".format(k)] for k in range(3)]
        assert abs(found["loss"] - np.mean(losses)) < 1e-5, found
    print("metrics of three batches:", found, flush=True)


def evaluation_without_metrics_has_the_loss():
    def function(features, labels, mode, params):
        return model_fn(features, labels, mode, params)._replace(eval_metric_ops={})

    optimizer = lambda: tf.train.GradientDescentOptimizer(0.0)
    with_metrics, without = (trained(replicate_model_fn(each, optimizer, cpus(2)), 1)[1].evaluate(input_fn)
                             for each in (model_fn, function))
    assert set(without) == {"loss", "global_step"} and without["loss"] == with_metrics["loss"], (without, with_metrics)


def prediction_has_the_numbers_of_the_original():
    made = trained(replicate_model_fn(model_fn, lambda: tf.train.GradientDescentOptimizer(0.0), cpus(2)), 1)[1]
    rows = list(made.predict(lambda: input_fn(1)))
    expected = REFERENCE.predicted(2)
    for key in expected.values:
        expected.check(key, [row[key] for row in rows], "prediction")
    print(len(rows), "predictions", flush=True)


def outputs_are_exported():
    """Tensors of predictions and export outputs are those of the whole batch, each once."""
    export = tf.estimator.export

    def function(features):
        y, h = network(features, {})
        outputs = {"serving_default": export.PredictOutput({"y": y, "of h": h}), "r": export.RegressionOutput(y),
                   "c": export.ClassificationOutput(h, tf.as_string(y))}
        return tf.estimator.EstimatorSpec(PREDICT, predictions=h, export_outputs=outputs)

    with tf.Graph().as_default() as graph:
        x, ids = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])
        spec = replicate_model_fn(function, devices=cpus(2))({"x": x, "ids": ids}, None, PREDICT)
        outputs = spec.export_outputs
        with tf.Session(graph=graph, config=section_runs.config(3)) as session:
            session.run(tf.global_variables_initializer())
            h, served, y, scores, classes = session.run(
                [spec.predictions, outputs["serving_default"].outputs, outputs["r"].value, outputs["c"].scores,
                 outputs["c"].classes], {x: batch(0)[0], ids: batch(0)[1]})
        expected = REFERENCE.predicted(2)
        expected.check("y", y, "exported")
        for found in (h, served["of h"], scores):
            expected.check("h", found, "exported")
        assert served["y"].tobytes() == y.tobytes() and classes.shape == (12, 1)


def means_and_the_later_interface():
    """A model that wraps its optimizer itself; the loss is then the mean of the towers' unless it is a sum."""
    def function(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        optimizer = TowerOptimizer(OPTIMIZERS["sgd"])
        assert TowerOptimizer(optimizer) is optimizer
        return spec._replace(train_op=optimizer.minimize(spec.loss, tf.train.get_global_step()))

    one = REFERENCE.trained("sgd_res", 1)
    expected = one.values["losses"]
    mean = tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS
    for how in (dict(loss_reduction=mean), dict(optimizer_fn=mean)):
        losses = trained(replicate_model_fn(function, devices=cpus(3), **how), res=True)[0]
        assert np.allclose(losses, expected, rtol=1e-5), (losses, expected)
    REFERENCE.trained("sgd_res", 2).check("losses", trained(replicate_model_fn(function, devices=cpus(2)), res=True)[0], "sum")
    one.check("losses", trained(replicate_model_fn(function), res=True)[0], "the local devices: one CPU")
    refused(ValueError, lambda: replicate_model_fn(function, loss_reduction=tf.losses.Reduction.NONE), "NONE")


def batches_of_a_fixed_size():
    """The original takes them, and so must this: constants of the model would depend on the size."""
    def read():
        return input_fn(static=True)

    losses = trained(replicate_model_fn(model_fn, OPTIMIZERS["sgd"], cpus(2)), read=read, res=True)[0]
    REFERENCE.trained("sgd_res", 2).check("losses", losses, "fixed batches")
    five = replicate_model_fn(model_fn, OPTIMIZERS["sgd"], ["/device:CPU:0"] * 5)
    refused(ValueError, lambda: trained(five, read=read), "features['", "12 examples", "5 devices")
    if not IS_1:  # TensorFlow 1.13 says it without these words
        refused(tf.errors.InvalidArgumentError, lambda: trained(five), "split")
    towers = replicate_model_fn(lambda features: None, devices=cpus(2))
    with tf.Graph().as_default():
        refused(ValueError, lambda: towers(tf.constant(1.0), None, PREDICT), "scalar")


def models_of_layers():
    """Batch normalisation, whose moving averages the first tower moves, dropout, and a metric whose name is none for an op."""
    def function(features, labels, mode):
        is_trained = mode == TRAIN
        x = tf.layers.conv2d(tf.reshape(features, [-1, 8, 8, 1]), 4, 3)
        x = tf.nn.relu(tf.layers.batch_normalization(x, training=is_trained, name="normal"))
        logits = tf.layers.dense(tf.layers.dropout(tf.layers.flatten(x), 0.3, training=is_trained), 3)
        classes = tf.argmax(logits, 1)
        if mode == PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=classes)
        return tf.estimator.EstimatorSpec(
            mode, loss=tf.losses.sparse_softmax_cross_entropy(labels, logits), train_op=tf.no_op(),
            eval_metric_ops={"how many are right": tf.metrics.accuracy(labels, classes)})

    def read():
        random = np.random.RandomState(0)
        return tf.data.Dataset.from_tensor_slices((random.rand(24, 64).astype("f"), random.randint(0, 3, 24))).batch(6)

    losses, made = trained(replicate_model_fn(function, lambda: tf.train.MomentumOptimizer(0.1, 0.9), cpus(3)), 4, read)
    found = made.evaluate(read)
    classes = list(made.predict(read))
    assert np.isfinite(losses).all() and np.all(made.get_variable_value("normal/moving_mean") != 0)
    labels = np.random.RandomState(0)
    labels.rand(24, 64)
    assert abs(found["how many are right"] - np.mean(classes == labels.randint(0, 3, 24))) < 1e-6, (found, classes)


def refusals_leave_the_graph_as_it_was():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], "x")
        w = tf.get_variable("w", [3, 1])
        seen = tf.get_variable("seen", [], trainable=False)
        with tf.control_dependencies([tf.assign_add(seen, tf.reduce_sum(x))]):
            loss = tf.reduce_mean(tf.matmul(x, w), name="of_batch")
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        before = graph.as_graph_def()
        refused(tideline.Refused, lambda: replicate_graph(graph, cpus(2), [x], loss=loss, train_op=train_op),
                "every tower would write it")
        refused(TypeError, lambda: replicate_graph(graph, cpus(2), [x], los=loss), "'los'")
        assert graph.as_graph_def() == before


def finished_graphs():
    """A file, and a MetaGraphDef: the same graph, which trains as the original's."""
    path = DATA / "replicate/train_single_momentum_res.meta"
    meta = tf.MetaGraphDef()
    meta.ParseFromString(path.read_bytes())
    how = dict(devices=cpus(2), split=["x:0", "ids:0", "labels:0"], loss="mean_loss:0", train_op="Momentum")
    made = replicate(str(path), **how)
    assert replicate(meta, **how).meta_graph == made.meta_graph and made.plan["kind"] == "replicate"
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(made.meta_graph.graph_def, name="")
        with tf.Session(graph=graph, config=section_runs.config(3)) as session:
            session.run("init")
            for name, value in ORACLE["init"].items():
                if name == "model/wr":  # of the network with a loop
                    continue
                assign = graph.get_operation_by_name(name + "/Assign")
                session.run(assign, {assign.inputs[1]: np.array(value, np.float32)})
            losses = [session.run([made.plan["train_op"], made.plan["loss"]],
                                  dict(zip(("x:0", "ids:0", "labels:0"), batch(number))))[1] for number in range(3)]
    REFERENCE.trained("momentum_res", 2).check("losses", losses, "a finished graph")


def large_graphs_take_no_time():
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(str(DATA / "graphs/resnet50.meta"))
        ops, start = len(graph.get_operations()), time.time()
        plan = replicate_graph(graph, cpus(2), ["images:0", "labels:0"], loss="loss/Mean:0", train_op="momentum_optimizer/Momentum")
        print("ResNet-50, {} ops: {} more in {:.2f} s".format(ops, len(plan["added"]), time.time() - start))
        assert len(graph.get_operations()) == plan["written"]["ops"] == ops + len(plan["added"])


FOLDER = tempfile.TemporaryDirectory(prefix="tideline.")
tests = [training_has_the_numbers_of_the_original, evaluation_has_the_numbers_of_the_original,
         evaluation_without_metrics_has_the_loss, prediction_has_the_numbers_of_the_original, outputs_are_exported,
         means_and_the_later_interface, batches_of_a_fixed_size, models_of_layers,
         refusals_leave_the_graph_as_it_was]
if not IS_1:  # the files have ops that TensorFlow 1.13 does not know
    tests += [finished_graphs, large_graphs_take_no_time]
for test in tests:
    test()
    print(test.__name__, flush=True)
