"""Model functions as programs for the original have them, in a Python with TensorFlow 2.15 or 1.13: towers_programs_worker.py

Whatever is compared was computed by one device in the same process."""
import functools
import os
import sys
import tempfile

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)

import section_runs
from section_runs import refused
import tideline
from tideline.replicate import TowerOptimizer, replicate_model_fn

TRAIN, EVAL, PREDICT = (getattr(tf.estimator.ModeKeys, key) for key in ("TRAIN", "EVAL", "PREDICT"))
CPUS = ["/device:CPU:0", "/device:CPU:1"]
ROWS = 8


def data(seed=0):
    """A batch: x [8,3], weights of rows, words (ragged, sparse), classes."""
    random = np.random.RandomState(seed)
    return {"x": random.randn(ROWS, 3).astype("f"), "weight": random.rand(ROWS, 1).astype("f"),
            "class": random.randint(0, 3, [ROWS, 1]), "word": random.choice([b"a", b"b", b"c", b"d"], [ROWS, 1])}


def words(seed=0):
    """The same as a sparse tensor: row i has i % 3 words."""
    random = np.random.RandomState(seed)
    at = [(row, column) for row in range(ROWS) for column in range(row % 3)]
    return tf.SparseTensorValue(np.array(at, np.int64), random.choice([b"a", b"b", b"c"], len(at)), (ROWS, 2))


class Built(object):
    """The spec of a model function, with towers or without, in a graph of its own. `inputs`: makes features and labels."""

    def __init__(self, function, inputs, mode, towers, values=None, **more):
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.train.get_or_create_global_step()
            features, labels = inputs()
            if towers:
                function = replicate_model_fn(function, devices=CPUS, **more)
                self.spec = function(features=features, labels=labels, mode=mode)
            else:
                self.spec = function(features=features, labels=labels, mode=mode)
            init = [tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()]
            variables = tf.global_variables()
        self.session = tf.Session(graph=self.graph, config=section_runs.config(3))
        self.session.run(init)
        for variable in variables:
            if values is not None:
                variable.load(values[variable.op.name], self.session)
        self.variables = variables

    def values(self):
        return {variable.op.name: self.session.run(variable) for variable in self.variables}

    def metrics(self, feeds=({},)):
        """After an update with every feed. The loss is that of the last one."""
        found = {key: metric if isinstance(metric, tuple) else (metric.result(), metric.updates[0])
                 for key, metric in self.spec.eval_metric_ops.items()}
        for feed in feeds:
            loss = self.session.run([self.spec.loss] + [update for _, update in found.values()], feed)[0]
        return dict(self.session.run({key: value for key, (value, _) in found.items()}), loss=loss)


def dense(*keys):
    """Features and labels whose batch size is open, as those of a data set."""
    def inputs():
        batch = data()
        return {key: tf.placeholder_with_default(batch[key], [None] + list(batch[key].shape[1:])) for key in keys}, \
            tf.placeholder_with_default(batch["class"], [None, 1])
    return inputs


def agree(found, expected, what):
    assert sorted(found) == sorted(expected) and found, (what, sorted(found), sorted(expected))
    for key in expected:  # sums are added in another order
        assert np.allclose(found[key], expected[key], rtol=1e-5, atol=1e-6), (what, key, found[key], expected[key])


def evaluates_like_one_device(function, inputs, what, loss=2):
    """`loss`: by how much the loss of two towers is larger, which is a sum."""
    one = Built(function, inputs, EVAL, False)
    expected = one.metrics([{}, {}])
    expected["loss"] = expected["loss"] * loss
    agree(Built(function, inputs, EVAL, True, one.values()).metrics([{}, {}]), expected, what)


def linear(features, units):
    w = tf.get_variable("w", [3, units], initializer=tf.constant_initializer(np.linspace(-1, 1, 3 * units)))
    return tf.matmul(features["x"], w)


def weighted_metrics_are_those_of_the_whole_batch():
    def function(features, labels, mode):
        logits = linear(features, 3)
        found, right, weight = tf.argmax(logits, 1), tf.squeeze(labels, 1), features["weight"]
        one = tf.squeeze(weight, 1)
        metrics = {
            "mean": tf.metrics.mean(logits, weight), "accuracy": tf.metrics.accuracy(right, found, one),
            "tensor": tf.metrics.mean_tensor(tf.reduce_mean(logits, 0), tf.constant([1.0, 2.0, 0.5])),
            "classes": tf.metrics.mean_per_class_accuracy(right, found, 3, one),
            "iou": tf.metrics.mean_iou(right, found, 3, one), "auc": tf.metrics.auc(tf.equal(right, 0), tf.sigmoid(logits[:, 0]), one),
            "precision": tf.metrics.precision(right > 0, found > 0, one), "recall": tf.metrics.recall(right > 0, found > 0, one),
            "squares": tf.metrics.root_mean_squared_error(logits[:, :1], weight, weight),
            "plain": tf.metrics.mean(logits), "constant": tf.metrics.mean(tf.constant([1.0, 3.0]))}
        loss = tf.losses.sparse_softmax_cross_entropy(right, logits)
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

    for resources in (False, True):
        with tf.variable_scope("", use_resource=resources):
            evaluates_like_one_device(function, dense("x", "weight"), "metrics")


def columns():
    """Feature columns of every kind; the third is sparse."""
    column = tf.feature_column
    word = column.categorical_column_with_vocabulary_list("word", ["a", "b", "c", "d"])
    return [column.numeric_column("x", [3]), column.indicator_column(word),
            column.embedding_column(column.categorical_column_with_hash_bucket("words", 5), 2)]


def with_words():
    features, labels = dense("x", "weight", "word")()
    return dict(features, words=sparse()), labels


def sparse():
    found = words()
    return tf.SparseTensor(tf.placeholder_with_default(found.indices, [None, 2]),
                           tf.placeholder_with_default(found.values, [None]), tf.placeholder_with_default(np.array(found.dense_shape, np.int64), [2]))


def canned():
    """{name: model function}. Regressors learn the class as a number."""
    estimator, options = tf.estimator, dict(feature_columns=columns(), weight_column="weight")
    return {"classifier": estimator.DNNClassifier([4], n_classes=3, **options).model_fn,
            "two classes": estimator.DNNClassifier([4], n_classes=2, label_vocabulary=None, **options).model_fn,
            "regressor": estimator.DNNRegressor([4], **options).model_fn,
            "linear": estimator.LinearClassifier(n_classes=3, **options).model_fn}


def as_spec(model_fn):
    return lambda features, labels, mode: model_fn(features=features, labels=labels, mode=mode, config=tf.estimator.RunConfig())


def canned_estimators_evaluate_and_predict_like_one_device():
    """Their metrics are weighted, their features sparse too, and what they export are texts as well."""
    for name, model_fn in canned().items():
        def inputs():
            features, labels = with_words()
            return features, tf.minimum(labels, 1) if name == "two classes" else labels

        one = Built(as_spec(model_fn), inputs, EVAL, False)
        expected, two = one.metrics([{}, {}]), Built(as_spec(model_fn), inputs, EVAL, True, one.values()).metrics([{}, {}])
        ratio = two.pop("loss") / expected.pop("loss")
        assert min(abs(ratio - 1), abs(ratio - 2)) < 1e-4, (name, ratio)  # a sum over the batch, or the sum of two means
        agree(two, expected, name)
        no_labels = lambda: (with_words()[0], None)
        expected = predicted(Built(as_spec(model_fn), no_labels, PREDICT, False, one.values()))
        agree_exactly(predicted(Built(as_spec(model_fn), no_labels, PREDICT, True, one.values())), expected, name)


def predicted(built):
    outputs = {"output " + key: value for key, value in exported(built.spec)}
    return built.session.run(dict(built.spec.predictions, **outputs))


def exported(spec):
    for name, output in spec.export_outputs.items():
        for key in ("scores", "classes", "value"):
            if getattr(output, key, None) is not None:
                yield name + key, getattr(output, key)
        for key, tensor in getattr(output, "outputs", {}).items():
            yield name + str(key), tensor


def agree_exactly(found, expected, what):
    assert sorted(found) == sorted(expected), (what, sorted(found), sorted(expected))
    for key, value in expected.items():
        if value.dtype.kind == "f":
            assert np.allclose(found[key], value, rtol=1e-5, atol=1e-6), (what, key, found[key], value)
        else:
            assert np.array_equal(found[key], value), (what, key, found[key], value)


def training_reads_sparse_features():
    """The gradients of a sum over the batch are those of one device."""
    def function(features, labels, mode):
        net = tf.feature_column.input_layer(features, columns())
        w = tf.get_variable("w", [net.shape[1], 1], initializer=tf.constant_initializer(0.1))
        loss = tf.reduce_sum(tf.square(tf.matmul(net, w) - tf.cast(labels, tf.float32)))
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=section_runs.OPTIMIZERS["sgd"]().minimize(
            loss, tf.train.get_global_step()))

    one = Built(function, with_words, TRAIN, False)
    two = Built(function, with_words, TRAIN, True, one.values())
    for built in (one, two):
        for _ in range(2):
            built.loss = built.session.run([built.spec.loss, built.spec.train_op])[0]
    agree(dict(two.values(), loss=two.loss), dict(one.values(), loss=one.loss), "training")
    split = [op for op in two.graph.get_operations() if op.type == "SparseSplit"]
    assert len(split) == 1 and split[0].name.startswith("split_inputs/"), split


def what_the_model_does_not_read_is_dropped():
    """Features, labels in prediction, and sparse features; what reads nothing at all is refused."""
    def function(features, labels, mode):
        return tf.estimator.EstimatorSpec(mode, predictions={"y": linear(features, 2), "weight": features["weight"],
                                                             "names": tf.constant(["p", "q"])})

    one = Built(function, with_words, PREDICT, False)
    two = Built(function, with_words, PREDICT, True, one.values())
    agree_exactly(two.session.run(two.spec.predictions), one.session.run(one.spec.predictions), "predictions")
    assert [op.type for op in two.graph.get_operations() if op.name.startswith("split_inputs/") and "Split" in op.type] == ["Split"]
    constant = lambda features, labels, mode: tf.estimator.EstimatorSpec(mode, predictions={"y": tf.constant([1.0])})
    refused(tideline.Refused, lambda: Built(constant, with_words, PREDICT, True), "does not depend on")


def features_may_be_made_of_each_other():
    """One that is computed from another before the model, one that is given twice, and labels that are a feature."""
    def inputs():
        features, _ = dense("x")()
        return dict(features, same=features["x"], square=tf.square(features["x"])), features["x"]

    def function(features, labels, mode):
        found = linear({"x": features["square"] + features["same"] * features["x"]}, 3)
        loss = tf.reduce_sum(tf.square(found - labels))
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"error": tf.metrics.mean_squared_error(labels, found)})

    evaluates_like_one_device(function, inputs, "features", loss=1)


def a_model_function_is_called_by_name():
    """In any order of its arguments, and without those that a functools.partial sets. The mode may come first, too."""
    seen = []

    def function(mode, params, labels, features):
        seen.append((mode, params, labels.name, features.name))
        return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(features * tf.get_variable("c", []) - labels),
                                          train_op=tf.no_op())

    optimizer = lambda: tf.train.GradientDescentOptimizer(0.1)
    rows, labels = np.ones([4, 1], "f"), np.zeros([4, 1], "f")
    for made, called in ((function, (rows, labels, TRAIN, "p")), (function, (TRAIN, rows, labels, "p")),
                         (functools.partial(function, params="p"), (rows, labels, TRAIN))):
        with tf.Graph().as_default():
            replicate_model_fn(made, optimizer, CPUS)(*called)
    assert seen == [(TRAIN, "p", "split_inputs/split_1:0", "split_inputs/split:0")] * 3, seen


def initializing_one_variable_of_a_metric_initializes_all_of_them():
    def function(features, labels, mode):
        found = tf.metrics.mean(features["x"])
        return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(linear(features, 1)), eval_metric_ops={"mean": found})

    with tf.Graph().as_default() as graph:
        spec = replicate_model_fn(function, devices=CPUS)(*dense("x")(), mode=EVAL)
        inits = {"local": tf.local_variables_initializer(),
                 "metrics": tf.variables_initializer(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES))}
        value, update = spec.eval_metric_ops["mean"]
        init = tf.global_variables_initializer()
    for name, reset in inits.items():
        with tf.Session(graph=graph, config=section_runs.config(3)) as session:
            session.run([init, reset])
            for _ in range(2):  # the second begins anew
                session.run(update)
                session.run(reset)
                session.run(update)
                assert abs(session.run(value) - data()["x"].mean()) < 1e-6, name


def two_optimizers_train_one_loss():
    """As in a wide and deep model, one after the other or at once; also wrapped, as the later original demands."""
    def function(wrap, in_turn):
        def model_fn(features, labels, mode):
            with tf.variable_scope("wide", use_resource=True):  # their reads do not see what is written behind them
                wide = linear(features, 1)
            with tf.variable_scope("deep", use_resource=True):
                deep = tf.tanh(linear(features, 1))
            loss = tf.reduce_sum(tf.square(wide + deep - tf.cast(labels, tf.float32)))
            first, second = wrap(tf.train.FtrlOptimizer(0.1)), wrap(tf.train.AdagradOptimizer(0.05))
            step = first.minimize(loss, var_list=tf.trainable_variables("wide"))
            with tf.control_dependencies([step] if in_turn else []):
                steps = tf.group(step, second.minimize(loss, var_list=tf.trainable_variables("deep")))
            with tf.control_dependencies([steps]):
                count = tf.assign_add(tf.train.get_global_step(), 1)
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=count.op)
        return model_fn

    for model_fn in (function(lambda optimizer: optimizer, True), function(TowerOptimizer, False)):
        one = Built(model_fn, dense("x"), TRAIN, False)
        two = Built(model_fn, dense("x"), TRAIN, True, one.values())
        for built in (one, two):
            for _ in range(3):
                built.loss = built.session.run([built.spec.loss, built.spec.train_op])[0]
        agree(dict(two.values(), loss=two.loss), dict(one.values(), loss=one.loss), "two optimizers")
        assert two.values()["global_step"] == 3


def exported_models_serve_categorical_columns():
    """A whole program: training, evaluation, and an export that is read from examples, as for serving."""
    with tempfile.TemporaryDirectory(prefix="tideline.") as folder:
        config = tf.estimator.RunConfig(folder, session_config=section_runs.config(3), log_step_count_steps=None)
        plain = tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=columns()[:2], dnn_feature_columns=columns(), dnn_hidden_units=[4], n_classes=3, config=config)
        towers = tf.estimator.Estimator(replicate_model_fn(plain.model_fn, devices=CPUS), config=config)

        def read():
            rows = {key: value for key, value in data().items() if key in ("x", "word")}
            return tf.data.Dataset.from_tensors((dict(rows, words=tf.SparseTensor(*words())), data()["class"])).repeat(3)

        towers.train(read)
        found, expected = towers.evaluate(read), plain.evaluate(read)
        assert found["global_step"] == 3 and found.keys() == expected.keys(), found
        agree({"accuracy": found["accuracy"]}, {"accuracy": expected["accuracy"]}, "evaluation")
        receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(tf.feature_column.make_parse_example_spec(columns()))
        served = [serve(os.fsdecode(made.export_savedmodel(os.path.join(folder, name), receiver)))
                  for name, made in (("towers", towers), ("plain", plain))]
        agree_exactly(*served, what="served")


def serve(path):
    """What every signature of a model says of the batch."""
    features, ragged = data(), words()
    examples = []
    for row in range(ROWS):
        example = tf.train.Example()
        example.features.feature["x"].float_list.value.extend(features["x"][row])
        example.features.feature["word"].bytes_list.value.extend(features["word"][row])
        example.features.feature["words"].bytes_list.value.extend(
            value for (at, _), value in zip(ragged.indices, ragged.values) if at == row)
        examples.append(example.SerializeToString())
    with tf.Graph().as_default(), tf.Session(config=section_runs.config(3)) as session:
        signatures = tf.saved_model.load(session, ["serve"], path).signature_def
        fetched = {name + key: info.name for name, signature in signatures.items() for key, info in signature.outputs.items()}
        feed = {info.name: examples for signature in signatures.values() for info in signature.inputs.values()}
        assert len(fetched) > 5, fetched
        return session.run(fetched, feed)


tests = [weighted_metrics_are_those_of_the_whole_batch, canned_estimators_evaluate_and_predict_like_one_device,
         training_reads_sparse_features, what_the_model_does_not_read_is_dropped, features_may_be_made_of_each_other,
         a_model_function_is_called_by_name, initializing_one_variable_of_a_metric_initializes_all_of_them,
         two_optimizers_train_one_loss, exported_models_serve_categorical_columns]
if len(sys.argv) > 1:
    tests = [test for test in tests if test.__name__ in sys.argv[1:]]
for test in tests:
    test()
    print(test.__name__, flush=True)
