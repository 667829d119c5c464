"""Errors of training that ran out of memory, in a Python with TensorFlow 2.15 (with Keras 2 or Keras 3) or 1.13:
explain_oom_worker.py PROGRAM REPOSITORY FOLDER

With oneDNN, TensorFlow waits ten seconds before it says that there is no memory, and from some runs it does not come back."""
import os
import sys
import time

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import tideline

explain = tideline.explain_oom
with explain():
    pass
assert "tensorflow" not in sys.modules and "numpy" not in sys.modules
import numpy as np
import tensorflow as tf0
import tensorflow.compat.v1 as tf

from front_graphs import ROOT, opened, refused

IS_1 = tf.__version__.startswith("1.")
TUTORIAL = str(ROOT / "assets/samples/tutorial_mnist.meta")
Exhausted = tf.errors.ResourceExhaustedError
MESSAGE = ("OOM when allocating tensor with shape[800,28,28,32] and type float on /job:localhost/replica:0/task:0/device:{} by "
           "allocator {}")
HUGE = [10 ** 6, 10 ** 6]  # 3.6 TiB


def error_of(work, *given, **options):
    """The error that leaves the context, and the context."""
    context = explain(*given, **options)
    try:
        with context:
            work()
    except Exception as problem:
        return problem, context
    raise AssertionError("no error")


def raising(problem):
    def work():
        raise problem
    return work


def injected(device="GPU:0", allocator="GPU_0_bfc"):
    return Exhausted(None, None, MESSAGE.format(device, allocator))


def an_injected_error_gets_its_explanation():
    original = injected()
    said = str(original)
    error, context = error_of(raising(original), TUTORIAL, batch_size=800, device="100MiB")
    assert error is original and type(error) is Exhausted and error.error_code == tf.errors.RESOURCE_EXHAUSTED
    text = str(error)
    assert text.startswith(said + "\n\ntideline: the simulated step has a batch of 800 and needs 243.77 MiB at its peak, which is at '"
                           ) and text == error.message, text
    assert "the memory is 100.00 MiB (device='100MiB')" in text and "The largest batch that fits is 206." in text, text
    for alive in context.fit.alive_at_peak:
        assert alive["tensor"] in text, (alive, text)
    way = next(way for way in context.fit.ways if way["fits"] and way["devices"] == 1)
    assert "To make it fit: {} (".format(way["title"]) in text, text
    assert error.__traceback__ is not None and error.__cause__ is None


def the_first_way_comes_with_its_command():
    """And where nothing has to be written for it, as for a smaller batch, so does the first that has one."""
    error, _ = error_of(raising(injected()), TUTORIAL, batch_size=800, device="235MiB")
    assert "\nTo make it fit: LMS v2 (231.48 MiB, 1.00 x the time" in str(error), error
    assert "\n    tideline rewrite lms2 " + TUTORIAL in str(error), error
    from tideline._fit import text
    way = lambda title, command, fits=True, devices=1: {"title": title, "command": command, "fits": fits, "devices": devices,
                                                        "device_peak_bytes": 1024, "cost": "2 x the time"}
    towers, batch, bad, swaps = way("towers", "t", devices=2), way("batch", None), way("bad", "b", False), way("swaps", "s")
    for ways, said in (((towers, bad, batch, swaps), "batch (1.00 KiB, 2 x the time); or swaps (1.00 KiB, 2 x the time)\n    s"),
                       ((towers, bad), "towers (1.00 KiB, 2 x the time)\n    t"), ((bad,), ""), ((), ""),
                       ((swaps, batch), "swaps (1.00 KiB, 2 x the time)\n    s"), ((batch,), "batch (1.00 KiB, 2 x the time)")):
        assert text.first_way({"ways": list(ways)}) == said, (ways, text.first_way({"ways": list(ways)}))


def steps_that_fit_are_not_blamed():
    error, _ = error_of(raising(injected()), TUTORIAL, batch_size=8, device="v100")
    assert "So the step itself fits, and the largest batch that fits is" in str(error), error
    assert "Something else has taken memory" in str(error) and "To make it fit" not in str(error), error
    error, _ = error_of(raising(injected()), TUTORIAL, device="1MiB")
    assert "has a batch of 1 (assumed: none is known)" in str(error) and "Not even a batch of 1 fits." in str(error), error
    assert "No way was found to make it fit." in str(error), error


def the_memory_is_that_of_the_device():
    cpu, context = error_of(raising(injected("CPU:0", "mklcpu")), TUTORIAL, batch_size=8)
    assert "(that of this machine, whose CPU ran out of it)" in str(cpu), cpu
    assert context.fit.device_memory_bytes == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert context.fit.executor == "cpu"
    assumed, context = error_of(raising(Exhausted(None, None, "no memory")), TUTORIAL, batch_size=8)
    assert "that of a v100, assumed" in str(assumed) and context.fit.device == "v100", assumed
    from tideline.lms import _device_memory
    original, _device_memory.of_gpu = _device_memory.of_gpu, lambda what: 3 * 2 ** 30 if what == "memory.total" else 1
    try:
        gpu, context = error_of(raising(injected()), TUTORIAL, batch_size=8)
        assert "3.00 GiB (that of GPU 0)" in str(gpu) and context.fit.executor == "gpu", gpu
    finally:
        _device_memory.of_gpu = original


def nothing_hides_the_error():
    """Whatever goes wrong meanwhile: the error is the same, and a line says why there is no explanation."""
    from tideline._fit import crash
    before = crash.fit, os.environ["TIDELINE"]
    for what, words in (("/no/such/file", ["Refused", "/no/such/file"]), (3, ["TypeError", "tf.Graph"])):
        error, context = error_of(raising(injected()), what)
        assert type(error) is Exhausted and context.fit is None and str(error).startswith(MESSAGE[:30]), error
        assert all(word in str(error) for word in ["tideline: no explanation could be made: "] + words), error
    try:
        for problem in (KeyboardInterrupt("stop"), SystemExit(3), MemoryError(), RecursionError("deep"), KeyError("x")):
            crash.fit = lambda *_, **__: raising(problem)()
            error, _ = error_of(raising(injected()), TUTORIAL)
            assert type(error) is Exhausted and "could be made: " + type(problem).__name__ in str(error), error
        crash.fit, os.environ["TIDELINE"] = before[0], "/no/such/program"
        error, _ = error_of(raising(injected()), TUTORIAL)
        assert "ExecutableMissing: TIDELINE=/no/such/program" in str(error), error
    finally:
        crash.fit, os.environ["TIDELINE"] = before


def other_errors_pass():
    for problem in (ValueError("wrong"), tf.errors.InternalError(None, None, "inside"), KeyboardInterrupt()):
        text = str(problem)
        with refused(type(problem)):
            with explain(TUTORIAL) as context:
                raise problem
        assert str(problem) == text and context.fit is None

    class Other(Exhausted):
        """Programs may have their own, with another text."""
        def __init__(self):
            Exception.__init__(self, "mine")

        __str__ = Exception.__str__

    error, _ = error_of(raising(Other()), TUTORIAL, batch_size=8)
    assert str(error).startswith("mine\n\ntideline: the simulated step"), error


def it_costs_nothing_without_an_error():
    rounds, best = 20000, 1.0
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(rounds):
            with explain(TUTORIAL, batch_size=8):
                pass
        best = min(best, (time.perf_counter() - begin) / rounds)
    print("{:.2f} us".format(best * 1e6))
    assert best < 50e-6, best  # a thousandth of a step of 50 ms


def sessions_are_found():
    """What they run and are fed is taken from the traceback."""
    with opened(TUTORIAL).as_default() as graph, tf.Session() as session:
        images, labels, keep = (graph.get_tensor_by_name(name + ":0") for name in (
            "Placeholder", "Placeholder_1", "dropout/Placeholder"))
        train = graph.get_operation_by_name("adam_optimizer/Adam")
        huge = tf.random_uniform(HUGE, name="huge")
        session.run(tf.global_variables_initializer())
        feeds = {images: np.zeros([7, 784]), labels: np.zeros([7]), keep: 0.5}
        error, context = error_of(lambda: session.run([{"train": train}, huge], feeds))
        assert type(error) is Exhausted and "shape[1000000,1000000]" in str(error) and "tideline: the simulated step has a batch of 7 " in str(
            error), error
        assert context.fit.alive_at_peak[0]["tensor"].startswith("huge") and context.fit.alive_at_peak[0]["bytes"] == 4 * 10 ** 12
        assert not context.fit.fits and context.fit.largest_batch == 0, context.fit
        error, context = error_of(lambda: session.run(huge), device="1GiB")
        assert "device='1GiB'" in str(error) and "The peak does not depend on the batch size." in str(error), error


def estimators_are_found():
    """Their data come from within the graph: the batch is in the shape of the error, where that has an open first dimension."""
    def model_fn(features, labels, mode):
        loss = tf.losses.mean_squared_error(labels, tf.matmul(features, tf.get_variable("kernel", [20, 1])))
        huge = tf.random_uniform(tf.stack([tf.shape(features)[0], 10 ** 6, 10 ** 6]), name="huge")
        huge.set_shape([None, 10 ** 6, 10 ** 6])
        train = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.group(train, huge.op))

    data = lambda: tf.data.Dataset.from_tensor_slices((np.zeros([30, 20], "f"), np.zeros([30, 1], "f"))).batch(15)
    estimator = tf.estimator.Estimator(model_fn, os.path.join(sys.argv[3], "estimator"))
    error, context = error_of(lambda: estimator.train(data, steps=1))
    assert type(error) is Exhausted and "tideline: the simulated step has a batch of 15 and needs 54" in str(error), error
    assert "huge" in context.fit.alive_at_peak[0]["tensor"], context.fit.alive_at_peak


def functions_are_found():
    kernel = tf0.Variable(tf.ones([10, 10]))

    @tf0.function
    def step(x, scale=2.0):
        kernel.assign_add(tf.matmul(x, x, transpose_a=True) * scale)
        return tf0.random.uniform(HUGE, name="huge")

    class Trainer:
        @tf0.function
        def train(self, x):
            return step(x)

    for work in (lambda: step(tf.ones([9, 10])), lambda: Trainer().train(np.ones([9, 10], "f"))):
        error, context = error_of(work)
        assert "tideline: the simulated step has a batch of 9 " in str(error) and "huge/RandomUniform:0" in str(error), error
        assert context.fit.device_peak_bytes > 4 * 10 ** 12
    eager = lambda: tf0.random.uniform(HUGE)
    error, _ = error_of(eager)
    assert type(error) is Exhausted and "UnsupportedGraph: the traceback has no model" in str(error), error
    error, context = error_of(eager, step, tf0.TensorSpec([None, 10]), batch_size=5)
    assert context.fit.batch_size == 5 and "largest first:\n" in str(error), error


def models_of_keras_are_found():
    """A layer says that there is no memory."""
    import keras
    def no_memory(x):
        raise MemoryError("none left")

    class Empty(keras.layers.Layer):
        def call(self, x):
            return tf0.ensure_shape(tf0.numpy_function(no_memory, [x], tf0.float32), x.shape)

        def compute_output_shape(self, shape):
            return shape

    inputs = keras.Input([64])
    hidden = keras.layers.Dense(32, name="hidden")(inputs)
    model = keras.Model(inputs, keras.layers.Dense(4, name="out")(Empty()(hidden)))
    model.compile("sgd", "mse")
    x, y = np.zeros([50, 64], "f"), np.zeros([50, 4], "f")
    batches = tf0.data.Dataset.from_tensor_slices((x, y)).batch(20)
    for work, batch in ((lambda: model.fit(x, y, batch_size=10, verbose=0), 10), (lambda: model.fit(batches, verbose=0), 20),
                        (lambda: model.fit(x=x, y=y, verbose=0), 32), (lambda: model.train_on_batch(x, y), 50)):
        error, context = error_of(work, device="15KiB")
        assert type(error) is Exhausted and "none left" in str(error).partition("tideline:")[0], error
        assert "tideline: the simulated step has a batch of {} and needs".format(batch) in str(error), error
        assert all(word in str(error) for word in ("hidden", "/kernel:0")) and not context.fit.fits and context.fit.largest_batch < 50, error
    error, _ = error_of(lambda: model.predict(x, verbose=0))
    assert "no explanation could be made: " in str(error), error


TESTS = [an_injected_error_gets_its_explanation, the_first_way_comes_with_its_command, steps_that_fit_are_not_blamed,
         the_memory_is_that_of_the_device, nothing_hides_the_error, other_errors_pass, it_costs_nothing_without_an_error, sessions_are_found,
         estimators_are_found]
for test in TESTS + ([] if IS_1 else [functions_are_found, models_of_keras_are_found]):
    test()
    print(test.__name__, flush=True)
