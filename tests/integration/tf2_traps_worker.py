"""Ways in which people write steps and call fit, each plain and rewritten: the same bits, or refused with the reason.

    tf2_traps_worker.py functions|fit plain|grappler FOLDER"""
import sys

import numpy as np
import tensorflow as tf

import tideline.lms
from front_graphs import refused
from tf2_common import POLICY, X, Y, Net, bits, one_thread, state
from tf2_models import IS_KERAS3

keras = tf.keras
FOLDER = sys.argv[3]


def five(function):
    return [function(X, Y) for _ in range(5)]


def once(function):
    return function(X, Y)


def with_file_writer(net):
    writer = tf.summary.create_file_writer(FOLDER)

    def step(a, b):
        with writer.as_default():
            tf.summary.scalar("a", 1.0, step=1)
        return net.update(a, b)
    return tf.function(step)


def with_table(net):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant([1], tf.int64), [0.5]), 0.0)
    return tf.function(lambda a, b: net.update(a, b) + table.lookup(tf.constant(1, tf.int64)))


def with_generator(net):
    generator = tf.random.Generator.from_seed(4)
    return tf.function(lambda a, b: net.update(a + generator.uniform([8, 16]), b))


def asserting(net):
    def step(a, b):
        tf.debugging.assert_all_finite(a, "a")
        tf.debugging.Assert(tf.reduce_all(a < 2), [a])
        return net.update(a, b)
    return tf.function(step)


def through_python(call):
    return lambda net: tf.function(lambda a, b: net.update(tf.ensure_shape(call(lambda t: t * np.float32(1), [a], tf.float32), [8, 16]), b))


def with_called_loss(net):
    net.loss = tf.function(net.loss)
    return tf.function(net.update)


def with_calls(net):
    inner = tf.function(net.update)
    return tf.function(lambda a, b: inner(a, b) + 1.0)


def with_call_that_stays(net):
    loss = tf.function(net.loss, experimental_attributes={"_noinline": True})
    net.loss = lambda a, b: loss(a, b)
    return tf.function(net.update)


def method_of_module(net):
    class Module(tf.Module):
        @tf.function
        def step(self, a, b):
            return net.update(a, b)
    net.module = Module()  # methods hold it weakly
    return net.module.step


def batches():
    return tf.data.Dataset.from_tensors((X, Y)).repeat(4)


def of_iterator(function):
    iterator = iter(batches())
    return [function(iterator) for _ in range(3)]


FUNCTIONS = {
    "input_signature with an open batch": (lambda net: tf.function(net.update, input_signature=[
        tf.TensorSpec([None, 16]), tf.TensorSpec([None, 1])]), lambda f: [f(X, Y), f(X[:4], Y[:4])]),
    "a sparse argument": (lambda net: tf.function(lambda s, b: net.update(tf.sparse.to_dense(s), b)),
                          lambda f: [f(tf.sparse.from_dense(X), Y) for _ in range(3)]),
    "a ragged argument": (lambda net: tf.function(lambda s, b: net.update(s.to_tensor(shape=[8, 16]), b)),
                          lambda f: [f(tf.RaggedTensor.from_tensor(X), Y) for _ in range(3)]),
    "an iterator as argument": (lambda net: tf.function(lambda iterator: net.update(*next(iterator)), autograph=False), of_iterator),
    "assertions": (asserting, five),
    "tf.print": (lambda net: tf.function(lambda a, b: (tf.print("", end="", output_stream=sys.stderr), net.update(a, b))[1]), five),
    "py_function": (through_python(tf.py_function), five),
    "numpy_function": (through_python(tf.numpy_function), five),
    "a random op with a seed": (lambda net: tf.function(lambda a, b: net.update(a + tf.random.uniform([8, 16], seed=5), b)), five),
    "a generator of random numbers": (with_generator, five),
    "a method of a module": (method_of_module, five),
    "a lookup table": (with_table, five),
    "the forward phase alone": (lambda net: tf.function(net.loss), once),
    "forward and backward phase in calls": (with_called_loss, five),
    "a step in a loop": (lambda net: tf.function(lambda a, b: tf.while_loop(
        lambda i, s: i < 4, lambda i, s: (i + 1, s + net.update(a, b)), [tf.constant(0), 0.0])), once),
    "a step in Dataset.reduce": (lambda net: tf.function(lambda d: d.reduce(0.0, lambda s, pair: s + net.update(*pair))),
                                 lambda f: [f(batches())]),
}
INLINED = {
    "a step in a call, inlined": (with_calls, five),
    "forward and backward phase in calls, inlined": (with_called_loss, five),
    "a call that stays (_noinline), inlined": (with_call_that_stays, five),
}
if not IS_KERAS3:  # TensorFlow 2.21 itself does not trace it
    FUNCTIONS["a summary writer"] = (with_file_writer, five)


# Nothing is far enough from its readers, or all of it is in calls.
WITHOUT_SWAPS = {"the forward phase alone", "forward and backward phase in calls", "a call that stays (_noinline), inlined"}


def functions():
    for name, (make, call) in {**FUNCTIONS, **INLINED}.items():
        results = []
        for rewrite in (lambda f: f, lambda f: tideline.lms.rewrite_function(f, inline=name in INLINED, **POLICY)):
            net = Net()
            function = rewrite(make(net))
            results.append((bits(call(function)), net.state()))
        assert results[0] == results[1], name
        plans = [trace.plan["plans"][-1] if name in INLINED else trace.plan for trace in tideline.lms.traces(function)]
        swaps = sum(len(plan["swaps"]) for plan in plans)
        assert swaps or name in WITHOUT_SWAPS, name
        print(name, "| swaps", swaps, flush=True)


x, y = np.random.RandomState(0).rand(44, 12).astype("f"), np.random.RandomState(1).rand(44, 1).astype("f")


def net(kind=keras.Model, **compiled):
    keras.utils.set_random_seed(7)
    given = keras.Input((12,))
    h = keras.layers.BatchNormalization()(keras.layers.Dense(32, activation="tanh")(given))
    h = keras.layers.Dropout(0.2)(keras.layers.Dense(32, activation="tanh")(h))
    made = kind(given, keras.layers.Dense(1)(h))
    made.compile(**{"optimizer": keras.optimizers.Adam(1e-2), "loss": "mse", "jit_compile": False, **compiled})
    return made


class CallsSuper(keras.Model):
    def train_step(self, data):
        results = super().train_step(data)
        return {**results, "twice": 2 * results["loss"]}


def fit(model, *data, **options):
    given = data or (x, y)
    return model.fit(*given, **{"verbose": 0, **({} if data else {"batch_size": 8, "epochs": 2, "shuffle": False}), **options}).history


def frozen():
    model = net()
    model.layers[1].trainable = False
    model.compile(keras.optimizers.Adam(1e-2), "mse", jit_compile=False)
    return model


def again(model, *arguments):
    model.compile(*arguments, jit_compile=False)
    return fit(model)


def own_loop(model):
    step = tf.function(lambda a, b: model.train_step((a, b)))
    return [float(step(tf.constant(x[:8]), tf.constant(y[:8]))["loss"]) for _ in range(3)]


def callbacks():
    kinds = keras.callbacks
    return [kinds.EarlyStopping(patience=0), kinds.ReduceLROnPlateau(patience=0), kinds.TerminateOnNaN()]




def rows():
    return tf.data.Dataset.from_tensor_slices((x, y))


FITS = {
    "a last batch that is shorter": (net, fit),
    "steps_per_execution": (lambda: net(steps_per_execution=3), fit),
    "sample_weight": (net, lambda model: fit(model, sample_weight=np.linspace(0, 1, 44).astype("f"))),
    "validation_data": (net, lambda model: fit(model, validation_data=(x[:8], y[:8]))),
    "callbacks that stop": (net, lambda model: fit(model, validation_data=(x[:8], y[:8]), callbacks=callbacks())),
    "a dataset of fixed batches": (net, lambda model: fit(model, rows().batch(8, drop_remainder=True), epochs=2)),
    "a dataset of open batches": (net, lambda model: fit(model, rows().batch(8), epochs=2)),
    "a generator": (net, lambda model: fit(model, ((x[k:k + 8], y[k:k + 8]) for k in range(0, 40, 8)), steps_per_epoch=5)),
    "train_on_batch": (net, lambda model: [float(np.ravel(model.train_on_batch(x[:8], y[:8]))[0]) for _ in range(3)]),
    "two sizes of batches": (net, lambda model: (fit(model), fit(model, batch_size=4))),
    "a loop of one's own": (net, own_loop),
    "compiled again": (net, lambda model: (fit(model), again(model, keras.optimizers.SGD(1e-3), "mae"))),
    "frozen later": (net, lambda model: (fit(model), setattr(model.layers[1], "trainable", False),
                                         again(model, keras.optimizers.Adam(1e-2), "mse"))),
    "a frozen layer": (frozen, fit),
    "a moving average of weights": (lambda: net(optimizer=keras.optimizers.Adam(1e-2, use_ema=True, ema_overwrite_frequency=3)), fit),
    "a schedule and clipping": (lambda: net(optimizer=keras.optimizers.SGD(
        keras.optimizers.schedules.CosineDecay(1e-2, 20), momentum=0.9, global_clipnorm=1.0)), fit),
    "a train_step that calls super": (lambda: net(CallsSuper), fit),
}
if IS_KERAS3:
    FITS["gradient accumulation"] = (lambda: net(optimizer=keras.optimizers.Adam(1e-2, gradient_accumulation_steps=2)), fit)
    FITS["loss scaling"] = (lambda: net(optimizer=keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(1e-2))), fit)
else:
    FITS["a legacy optimizer"] = (lambda: net(optimizer=keras.optimizers.legacy.Adam(1e-2)), fit)
    FITS["loss scaling"] = (lambda: net(optimizer=keras.mixed_precision.LossScaleOptimizer(keras.optimizers.Adam(1e-2))), fit)


def fits():
    for name, (make, call) in FITS.items():
        results = []
        for rewrite in (lambda one: None, lambda one: tideline.lms.apply(one, **POLICY)):
            one = make()
            rewrite(one)
            results.append((call(one), state(one)))
        assert results[0] == results[1], name
        assert tideline.lms.traces(one)[-1].plan["swaps"], name
        print(name, flush=True)
    one = net()
    tideline.lms.apply(one, **POLICY)
    fit(one)
    one.save(FOLDER + "/model.keras")
    loaded = keras.models.load_model(FOLDER + "/model.keras")
    assert bits(loaded.get_weights()) == bits(one.get_weights()) and "train_step" not in vars(loaded)
    with refused(tideline.Refused, "MirroredStrategy"):
        with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
            tideline.lms.apply(net(), **POLICY)
    with refused(tideline.Refused, "jit_compile"):
        tideline.lms.apply(net(jit_compile=True), **POLICY)


one_thread(grappler=sys.argv[2] == "grappler")
fits() if sys.argv[1] == "fit" else functions()
