"""Functions of TensorFlow 2 and Keras models that train through rewritten steps: functions_worker.py PROGRAM REPOSITORY FOLDER [grappler] [TEST...]"""
import gc
import pathlib
import signal
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context

import tideline
import tideline.lms
from tideline._edit import Edit
from front_graphs import refused
from tf2_common import POLICY, X, Y, Net, bits, one_thread, state

keras = tf.keras
x, y = np.random.RandomState(1).rand(20, 12).astype("f"), np.random.RandomState(2).rand(20, 1).astype("f")


def model(**compiled):
    keras.utils.set_random_seed(7)
    made = keras.Sequential([keras.layers.Dense(32, activation="tanh"), keras.layers.BatchNormalization(),
                             keras.layers.Dense(32, activation="tanh"), keras.layers.Dropout(0.2), keras.layers.Dense(1)])
    made.build((None, 12))
    made.compile(**{"optimizer": keras.optimizers.Adam(1e-2), "loss": "mse", "jit_compile": False, **compiled})
    return made


def fitted(one, **options):
    keras.utils.set_random_seed(7)  # random ops take their seeds when they are traced
    return one.fit(x, y, **{"batch_size": 8, "epochs": 2, "shuffle": False, "verbose": 0, **options}).history


def same(one, other):
    """Fits both. Keras makes some variables in the first fit."""
    assert fitted(one) == fitted(other)
    assert state(one) == state(other)


def trained(one):
    """What training changes and keeps: Keras resets metrics when a fit begins."""
    variables = one.optimizer.variables
    return bits(one.get_weights() + [np.asarray(each) for each in (variables() if callable(variables) else variables)])


def fits_give_the_same_bits_until_undone():
    plain, swapping = model(), model()
    tideline.lms.apply(swapping, **POLICY)
    same(plain, swapping)
    trace, = tideline.lms.traces(swapping)
    assert len(trace.plan["swaps"]) > 3 and trace.predicted["device_peak_bytes_before"] > 0, trace
    assert not any(op.name.startswith("lms/swapin") and not op.control_inputs for op in trace.function.graph.get_operations())
    assert "lms/swapout" in "".join(op.name for op in trace.function.graph.get_operations())
    assert "<svg" in trace.view(size="600x400").svg
    tideline.lms.apply(swapping, **dict(POLICY, swapout_threshold=1000))  # the second replaces the first
    same(plain, swapping)
    assert [len(trace.plan["swaps"]) for trace in tideline.lms.traces(swapping)] == [0]
    for one in (plain, swapping):
        one.compile(keras.optimizers.SGD(1e-3), "mae", jit_compile=False)
    same(plain, swapping)
    tideline.lms.undo(swapping)
    tideline.lms.undo(swapping)
    assert "train_step" not in vars(swapping)
    same(plain, swapping)


def callbacks_do_what_apply_does():
    plain, swapping = model(), model()
    lms = tideline.lms.LMS(3, 1, 2)
    assert fitted(plain) == fitted(swapping, callbacks=[lms])
    step = swapping.train_step
    assert fitted(plain) == fitted(swapping, callbacks=[lms]) and swapping.train_step is step
    assert state(plain) == state(swapping) and tideline.lms.traces(swapping)[0].plan["swaps"]
    first = tideline.lms.LMSKerasCallback(n_tensors=2)
    assert fitted(plain) == fitted(swapping, callbacks=[first])
    assert len(tideline.lms.traces(swapping)[0].plan["swaps"]) == 2 and state(plain) == state(swapping)
    tideline.lms.apply(swapping, policy=tideline.lms.LMS(4, 1, 2))
    assert fitted(plain) == fitted(swapping) and state(plain) == state(swapping)


def functions_of_any_kind_give_the_same_bits():
    def five(function):
        return [function(X, Y) for _ in range(5)]

    def twice(net):
        inner = tf.function(net.update)
        return tf.function(lambda a, b: inner(a, b) + 1.0)

    def creating(net):
        made = []

        def step(a, b):
            if not made:
                made.append(tf.Variable(tf.ones([1])))
            made[0].assign(made[0] * 0.9)
            return net.update(a, b) * made[0]
        return tf.function(step)

    ways = {
        "a tensor": (lambda net: tf.function(net.update), five),
        "nothing": (lambda net: tf.function(lambda a, b: [net.update(a, b), None][1]), five),
        "a structure": (lambda net: tf.function(lambda a, b: {"l": net.update(a, b), "n": None, "k": [2.0, (a[0],)]}), five),
        "keywords": (lambda net: tf.function(net.update), lambda f: [f(X, y=Y), f(x=X, y=Y, rate=tf.constant(0.02)), f(X, Y, 0.02)]),
        "other shapes": (lambda net: tf.function(net.update, reduce_retracing=True), lambda f: [f(X[:n], Y[:n]) for n in (8, 4, 2)]),
        "a call": (twice, five),
        "a variable of the first call": (creating, five),
        "a branch": (lambda net: tf.function(lambda a, b: tf.cond(tf.reduce_mean(a) > 0.1, lambda: net.update(a, b), lambda: 0.0)), five),
        "random numbers": (lambda net: tf.function(lambda a, b: net.update(a + tf.random.uniform([8, 16]), b)), five),
    }
    for name, (make, call) in ways.items():
        plain, swapping = Net(), Net()
        expected = call(make(plain))
        swapping.__init__()
        rewritten = tideline.lms.rewrite_function(make(swapping), **POLICY)
        assert bits(call(rewritten)) == bits(expected), name
        assert swapping.state() == plain.state(), name
        if name != "a branch":  # where nothing wakes what is swapped
            assert sum(len(trace.plan["swaps"]) for trace in tideline.lms.traces(rewritten)), name


def lists_of_loops_are_swapped_as_one_value():
    """What tf.while_loop stacks for its gradient."""
    def step_of(net):
        def step(a, b):
            with tf.GradientTape() as tape:
                h = tf.while_loop(lambda i, h: i < 6, lambda i, h: (i + 1, tf.tanh(h @ net.weights[0])), [tf.constant(0), a])[1]
                for weight in net.weights[1:-1]:
                    h = tf.nn.elu(h @ weight)
                loss = tf.reduce_mean((h @ net.weights[-1] - b) ** 2)
            for variable, gradient in zip(net.weights, tape.gradient(loss, net.weights)):
                variable.assign_sub(0.1 * gradient)
            return loss
        return tf.function(step)

    plain, swapping = Net(), Net()
    expected, got = step_of(plain), tideline.lms.rewrite_function(step_of(swapping), swap_lists=True, **POLICY)
    for _ in range(5):
        assert bits(expected(X, Y)) == bits(got(X, Y))
    assert plain.state() == swapping.state()
    trace, = tideline.lms.traces(got)
    lists = [swap for swap in trace.plan["swaps"] if "list" in swap]
    assert lists and all(swap["list"]["elements"] == 6 and swap["bytes"] == 6 * swap["list"]["element_bytes"] for swap in lists), lists
    assert any("was not tried" in line for line in trace.warnings), trace.warnings
    of_variant = {op.name for op in trace.function.graph.get_operations() if op.type == "Identity" and op.outputs[0].dtype == tf.variant}
    assert {swap["swap_out"] for swap in lists} <= of_variant, (lists, of_variant)


def lists_of_recurrent_layers_are_swapped():
    """What the calls of LSTMs give to their gradients."""
    def recurrent():
        keras.utils.set_random_seed(7)
        made = keras.Sequential([keras.Input((12, 1)), keras.layers.LSTM(8, return_sequences=True), keras.layers.LSTM(8), keras.layers.Dense(1)])
        made.compile(keras.optimizers.Adam(1e-2), "mse", jit_compile=False)
        return made

    plain, swapping = recurrent(), recurrent()
    tideline.lms.apply(swapping, swap_lists=True, **POLICY)
    same(plain, swapping)
    trace, = tideline.lms.traces(swapping)
    assert [swap for swap in trace.plan["swaps"] if "list" in swap], trace.plan["swaps"]


def retraces_are_those_of_tensorflow():
    counted = []

    @tf.function
    def step(a, rate=1.0):
        counted.append(rate)
        return a * rate

    rewritten = tideline.lms.rewrite_function(step, **POLICY)
    for call in (lambda: rewritten(X), lambda: rewritten(X, 1.0), lambda: rewritten(a=X, rate=1.0), lambda: rewritten(X, 2.0)):
        call()
    assert counted == [1.0, 2.0] and len(tideline.lms.traces(rewritten)) == 2, counted


def concrete_and_loaded_functions_stay_as_they_are(folder):
    net, other = Net(), Net()
    net.step = tf.function(net.update, input_signature=[tf.TensorSpec([8, 16]), tf.TensorSpec([8, 1])])
    concrete = net.step.get_concrete_function()
    before = concrete.graph.as_graph_def().SerializeToString(deterministic=True)
    rewritten = tideline.lms.rewrite_function(concrete, **POLICY)
    assert concrete.graph.as_graph_def().SerializeToString(deterministic=True) == before
    tf.saved_model.save(net, str(folder / "plain"))
    whole = tf.function(other.update)  # what Grappler regroups has other bits than eager code
    expected = [bits(whole(X, Y)) for _ in range(3)]
    given = tf.constant(X), tf.constant(Y)
    assert [bits(rewritten(*given)) for _ in range(2)] + [bits(concrete(*given))] == expected and net.state() == other.state()
    loaded = tf.saved_model.load(str(folder / "plain"))
    again = tideline.lms.rewrite_function(loaded.step, **POLICY)
    assert [bits(again(X, Y)) for _ in range(3)] == expected
    net = Net()
    net.step = tideline.lms.rewrite_function(tf.function(net.update), **POLICY)
    net.step.get_concrete_function(tf.TensorSpec([8, 16]), tf.TensorSpec([8, 1]))
    tf.saved_model.save(net, str(folder / "swapping"))
    assert (folder / "swapping/saved_model.pb").read_bytes().count(b"lms/swapout") > 1
    loaded = tf.saved_model.load(str(folder / "swapping"))
    assert [bits(loaded.step(X, Y)) for _ in range(3)] == expected


def gradients_of_ones_own_are_those_of_the_copy(folder):
    """Of a trace that is imported, also inlined: they read tensors of the trace in which they were made."""
    @tf.custom_gradient
    def clipped(x, factor):
        return tf.sin(x) * factor, lambda above: (tf.clip_by_value(above * tf.cos(x), -0.1, 0.1) * factor, None)

    def made(net):
        part = tf.function(lambda a: clipped(a @ net.weights[1], tf.constant(0.5)))

        def loss(a, b):
            h = tf.nn.silu(clipped(a @ net.weights[0], tf.reduce_mean(b)))
            for weight in net.weights[1:-1]:
                h = tf.nn.elu(h @ weight)
            return tf.reduce_mean((part(h) @ net.weights[-1] - b) ** 2)
        return tf.function(loss)

    def gradients(net, function):
        with tf.GradientTape() as tape:
            value = function(tf.constant(X), tf.constant(Y))
        return bits([value] + tape.gradient(value, net.weights))

    plain = Net()
    expected = gradients(plain, made(plain))
    given = tf.TensorSpec([8, 16]), tf.TensorSpec([8, 1])
    for number, (options, concrete) in enumerate((({}, True), ({"inline": True}, False), ({"inline": True}, True))):
        net = Net()
        function = made(net).get_concrete_function(*given) if concrete else made(net)
        net.step = tideline.lms.rewrite_function(function, **dict(POLICY, **options))
        assert gradients(net, net.step) == expected, (options, concrete)
        if not concrete:
            net.step.get_concrete_function(*given)
        path = folder / f"own_{number}"
        if not options:  # one lies in a body
            with refused(ValueError, "experimental_custom_gradients=False"):
                tf.saved_model.save(net, str(path))
            assert not path.exists()
            continue
        tf.saved_model.save(net, str(path))
        loaded = tf.saved_model.load(str(path))
        assert gradients(loaded, loaded.step) == expected, (options, concrete)


def gradients_go_through():
    plain, swapping = Net(), Net()
    results = []
    for net, loss in ((plain, tf.function(plain.loss)), (swapping, tideline.lms.rewrite_function(tf.function(swapping.loss), **POLICY))):
        with tf.GradientTape() as tape:
            value = loss(X, Y)
        results.append(bits(tape.gradient(value, net.weights)))
    assert results[0] == results[1]


def what_cannot_be_rewritten_is_refused_before_anything_changes(folder):
    for options, reason in (({"jit_compile": True}, "jit_compile"), ({"run_eagerly": True}, "run_eagerly"), ):
        one = model(**options)
        with refused(tideline.Refused, reason):
            tideline.lms.apply(one, **POLICY)
        assert "train_step" not in vars(one)
    one = model()
    with refused(tideline.Refused, "swapout_threshold is 0; expected 1 or more"):
        tideline.lms.apply(one, swapout_threshold=0)
    if not tf.config.list_physical_devices("GPU"):
        for ask in (dict(POLICY, copy_mode="grappler"), dict(POLICY, mode="grappler")):
            with refused(tideline.Refused, "run on GPUs alone, and this TensorFlow"):
                tideline.lms.apply(one, **ask)
    with refused(tideline.Refused, "no_such_option"):
        tideline.lms.apply(one, no_such_option=3)
    with refused(tideline.Refused, "a distribution strategy (OneDeviceStrategy)"):
        with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
            tideline.lms.apply(model(), **POLICY)
    with refused(tideline.Refused, "weights.keras"):
        tideline.lms.apply("weights.keras", **POLICY)
    with refused(tideline.Refused, "jit_compile"):
        tideline.lms.rewrite_function(tf.function(lambda a: a * 2.0, jit_compile=True), **POLICY)
    with refused(tideline.Refused, "there is no graph"):
        tideline.lms.rewrite_function(lambda: print("traced"), **POLICY)()
    with refused(tideline.Refused, "files are rewritten by the program"):
        tideline.lms.rewrite_function(str(folder), **POLICY)
    assert "train_step" not in vars(one)


def what_only_the_graph_refutes_comes_out_of_fit():
    plain, one = model(), model()
    fitted(plain, epochs=1)
    fitted(one, epochs=1)
    for options in (dict(POLICY, excl_output_by_scopes={"no_such_scope"}), {"device_memory": 1000, "batch_size": 8}):
        tideline.lms.apply(one, **options)
        with refused(tideline.Refused):
            fitted(one)
        assert trained(one) == trained(plain), options
    with refused(tideline.Refused, "run_eagerly"):
        one.compile("sgd", "mse", run_eagerly=True)
        tideline.lms.apply(one, **POLICY)
    tideline.lms.undo(one)
    for each in (plain, one):
        each.compile("sgd", "mse", jit_compile=False)
    same(plain, one)


def interrupts_find_the_model_as_it_was():
    one = model()

    def interrupt(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    for seconds in (0.001, 0.003, 0.01):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            tideline.lms.apply(one, **POLICY)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            assert "train_step" not in vars(one)
        tideline.lms.undo(one)
    assert "train_step" not in vars(one)
    same(model(), one)


def an_edit_that_fails_is_undone_and_tried_again():
    plain, swapping = Net(), Net()
    expected, rewritten = tf.function(plain.update), tideline.lms.rewrite_function(tf.function(swapping.update), **POLICY)
    reroute, done = Edit._reroute, []

    def interrupted(*arguments):
        if done:
            raise KeyboardInterrupt
        done.append(reroute(*arguments))

    Edit._reroute = interrupted
    try:
        rewritten(X, Y)
        raise AssertionError("not interrupted")
    except KeyboardInterrupt:
        pass
    finally:
        Edit._reroute = reroute
    assert not tideline.lms.traces(rewritten)
    assert [bits(rewritten(X, Y)) for _ in range(3)] == [bits(expected(X, Y)) for _ in range(3)] and swapping.state() == plain.state()
    assert [bool(trace.plan["swaps"]) for trace in tideline.lms.traces(rewritten)] == [True]


def names_of_functions_are_given_back():
    def calls(factor):
        body = tf.function(lambda a: tf.nn.relu(a * factor))
        return tf.function(lambda a: tf.nn.relu(body(a))).get_concrete_function(X)

    def names():
        gc.collect()
        return {name for name in context.context().list_function_names() if b"tideline" in bytes(name, "utf-8")}

    before = names()
    for factor in range(5):
        rewritten = tideline.lms.rewrite_function(calls(float(factor)), **POLICY)
        assert bits(rewritten(X)) == bits(tf.nn.relu(X * float(factor))) and len(names()) > len(before)
        del rewritten
    assert names() == before, names()


def nothing_stays_alive_after_retraces():
    def once(k):
        net = Net()
        rewritten = tideline.lms.rewrite_function(tf.function(net.update), **POLICY)
        rewritten(X, Y, tf.constant(0.01 * k))

    def alive():
        gc.collect()
        graphs = sum(isinstance(each, tf.__internal__.FuncGraph) for each in gc.get_objects())
        return graphs, sum("tideline" in name for name in map(str, context.context().list_function_names()))

    def resident():
        return int(pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1])

    for k in range(100):  # until the allocator has what it keeps
        once(k)
    objects, pages = alive(), resident()
    for k in range(100):
        once(k)
    assert alive() == objects, (alive(), objects)
    assert resident() <= 1.01 * pages, (resident(), pages)


def main():
    one_thread(grappler="grappler" in sys.argv[4:])
    folder = pathlib.Path(sys.argv[3])
    asked = set(sys.argv[4:]) - {"grappler"}
    long = (lists_of_recurrent_layers_are_swapped, nothing_stays_alive_after_retraces) if "grappler" in sys.argv[4:] else ()
    for test in long + (fits_give_the_same_bits_until_undone, callbacks_do_what_apply_does, functions_of_any_kind_give_the_same_bits,
                 lists_of_loops_are_swapped_as_one_value,
                 retraces_are_those_of_tensorflow, gradients_go_through, gradients_of_ones_own_are_those_of_the_copy,
                 what_only_the_graph_refutes_comes_out_of_fit,
                 interrupts_find_the_model_as_it_was, an_edit_that_fails_is_undone_and_tried_again, names_of_functions_are_given_back,
                 concrete_and_loaded_functions_stay_as_they_are, what_cannot_be_rewritten_is_refused_before_anything_changes):
        if not asked or test.__name__ in asked:
            test(*([folder] if test.__code__.co_argcount else []))
            print(test.__name__, flush=True)


if __name__ == "__main__":
    main()
