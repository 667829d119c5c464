"""Trains models of Keras in graph mode with large model support, in a process with TensorFlow 2.15 or 1.13:
lms_keras_worker.py PROGRAM REPOSITORY FOLDER [CASE]...

A session has taken over the ops that it has run; the model is nevertheless trained in it, with swaps, and to the same bits."""
import pathlib
import sys

import numpy as np
import tensorflow as tf0
import tensorflow.compat.v1 as tf

import tideline
from front_graphs import logged, refused
from tideline.lms import LMS, v1

FOLDER = pathlib.Path(sys.argv[3])
IS_1 = tf0.__version__.startswith("1.")
keras, layers = tf.keras, tf.keras.layers
IMAGES, LABELS = np.random.RandomState(0).rand(64, 8, 8, 1).astype("f"), np.arange(64) % 10
WEIGHTS = np.linspace(0.5, 1.5, 64).astype("f")


def session():
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return tf.Session(config=config)


def built():
    """(model, what its last batch ran as RunMetadata); the same numbers each time. The sum swaps in the forward phase."""
    tf.set_random_seed(1)
    if not IS_1:
        tf0.keras.utils.set_random_seed(1)
    x = layers.Input((8, 8, 1))
    first = layers.Conv2D(4, 3, activation="relu", padding="same")(layers.Dropout(0.25)(x))
    second = layers.Conv2D(4, 3, activation="relu", padding="same")(first)
    third = layers.Conv2D(4, 3, padding="same")(second)
    y = layers.Dense(10, activation="softmax")(layers.Flatten()(layers.Add()([first, third])))
    model, traced = keras.Model(x, y), tf.RunMetadata()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"], run_metadata=traced,
                  options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE))
    return model, traced


def ran(traced):
    return {node.node_name for device in traced.step_stats.dev_stats for node in device.node_stats}


def swaps(traced):
    """How many copies back the last batch has run."""
    return sum("lms/swapin" in name for name in ran(traced))


def version2():
    return LMS(swapout_threshold=3, swapin_ahead=2, swapin_groupby=2)


def fit(model, traced, callbacks, *data, **more):
    """The losses; whether the callback swaps is checked at the last batch that was run, which is one of the training."""
    epochs = more.pop("epochs", 2)
    found = model.fit(*data, epochs=epochs, shuffle=False, verbose=0, callbacks=callbacks, **more)
    if "validation_data" not in more:
        assert (swaps(traced) > 1) == bool(callbacks), (swaps(traced), sorted(ran(traced))[:20])
    return found.history


def before_the_fit(model, own, early):
    if early == "initialized":
        own.run(tf.global_variables_initializer())
    if early == "predicted":
        model.predict(IMAGES[:16])
    if early == "trained":
        model.fit(IMAGES, LABELS, batch_size=16, shuffle=False, verbose=0)


def in_own_session(how, early, callbacks):
    """(losses, weights in the session, weights that a saver on it wrote)."""
    keras.backend.clear_session()
    own = session()
    with (own.as_default() if how == "default" else own.graph.as_default()):
        if how != "default":
            keras.backend.set_session(own)
        model, traced = built()
        if how == "held":  # as the program gets it from Keras, which then has run
            own = keras.backend.get_session()
        before_the_fit(model, own, early)
        losses = fit(model, traced, callbacks, IMAGES, LABELS, batch_size=16)
        assert keras.backend.get_session() is own
        for callback in callbacks:
            if isinstance(callback, v1.LMSKerasCallback):
                assert callback.lms_obj.optimizer_scopes == {"training/Adam/gradients"}, callback.lms_obj.optimizer_scopes
        tf.train.Saver(model.weights).save(own, str(FOLDER / "own"))
        reader = tf.train.NewCheckpointReader(str(FOLDER / "own"))
        return losses, own.run(model.weights), [reader.get_tensor(weight.op.name) for weight in model.weights]


def equal(first, second):
    return len(first) == len(second) and all(np.array_equal(one, other) for one, other in zip(first, second))


def training_stays_in_the_session_that_the_program_has():
    for how, early in (("set", "initialized"), ("set", "trained"), ("default", "predicted"), ("held", "nothing")):
        losses, weights, _ = in_own_session(how, early, [])
        for make in (version2, v1.LMSKerasCallback) if (how, early) == ("set", "trained") else (version2,):
            found, there, saved = in_own_session(how, early, [make()])
            assert found == losses, (how, early, found, losses)
            assert equal(there, weights) and equal(saved, weights), (how, early)
    print("the session holds, and a saver writes, what was trained")


def a_model_that_is_compiled_again_is_swapped_again():
    losses = []
    for callbacks in ([], [version2()]):
        keras.backend.clear_session()
        keras.backend.set_session(session())
        model, traced = built()
        first = fit(model, traced, callbacks, IMAGES, LABELS, batch_size=16)
        model.layers[1].trainable = False
        model.compile("sgd", "sparse_categorical_crossentropy", run_metadata=traced,
                      options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE))
        losses.append((first, fit(model, traced, callbacks, IMAGES, LABELS, batch_size=16)))
    assert losses[0] == losses[1], losses


def weights_may_be_loaded_between_edit_and_training():
    """The callback is given the model before; the session has taken over the edited ops when the training begins."""
    losses = []
    for callbacks in ([], [version2()]):
        keras.backend.clear_session()
        keras.backend.set_session(session())
        model, traced = built()
        for callback in callbacks:
            callback.set_model(model)
        edited = len(tf.get_default_graph().get_operations())
        if not losses:
            model.save_weights(str(FOLDER / "weights.h5"))
        model.load_weights(str(FOLDER / "weights.h5"))
        losses.append(fit(model, traced, callbacks, IMAGES, LABELS, batch_size=16))
        swap_ops = [op.name for op in tf.get_default_graph().get_operations()[edited:] if "lms" in op.name]
        assert not swap_ops, swap_ops
    assert losses[0] == losses[1], losses


def dataset():
    """Labels go through a table, which lives in the session as the iterator does."""
    keys, values = tf.constant(np.arange(10)), tf.constant(np.arange(10)[::-1].copy())
    if IS_1:
        table = tf0.contrib.lookup.HashTable(tf0.contrib.lookup.KeyValueTensorInitializer(keys, values), -1)
    else:
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
    data = tf.data.Dataset.from_tensor_slices((IMAGES, LABELS)).map(lambda x, y: (x, table.lookup(tf.cast(y, tf.int64))))
    return data.batch(16).repeat(), table


def datasets_and_tables_go_on():
    """Iterators and tables that the session has initialised before the callback is asked."""
    found = []
    for callbacks in ([], [version2()], [v1.LMSKerasCallback()]):
        keras.backend.clear_session()
        own = session()
        keras.backend.set_session(own)
        with own.graph.as_default():
            model, traced = built()
            data = tf.data.Dataset.from_tensor_slices((IMAGES, LABELS)).batch(16).repeat()
            found.append([fit(model, traced, callbacks, data, steps_per_epoch=4)])
            found[-1].append(fit(model, traced, callbacks, data, steps_per_epoch=4, validation_data=data, validation_steps=2))
            # An iterator of the program's own, with a table.
            rows, table = dataset()
            iterator = tf.data.make_initializable_iterator(rows)
            own.run([tf.tables_initializer(), iterator.initializer])
            if IS_1:  # TensorFlow 2.15 takes no such iterator
                found[-1].append(fit(model, traced, callbacks, iterator, steps_per_epoch=4))
            else:
                images, labels = iterator.get_next()
                images.set_shape([None, 8, 8, 1])
                found[-1].append(fit(model, traced, callbacks, images, labels, steps_per_epoch=4))
            own.run(iterator.get_next())
    assert found[0] == found[1] == found[2], found


class Rows(keras.utils.Sequence):
    def __init__(self, *columns):
        self.columns = columns

    def __len__(self):
        return 4

    def __getitem__(self, at):
        return tuple(column[16 * at:16 * at + 16] for column in self.columns)


def rows(*columns):
    while True:
        for at in range(4):
            yield tuple(column[16 * at:16 * at + 16] for column in columns)


def generators_and_sequences_are_swapped():
    """With sample weights, TensorFlow 2.15 makes the train function anew in the first batch."""
    for columns in ((IMAGES, LABELS), (IMAGES, LABELS, WEIGHTS)):
        for make in (lambda: rows(*columns), lambda: Rows(*columns)):
            losses = []
            for callbacks in ([], [version2()], [v1.LMSKerasCallback()]):
                keras.backend.clear_session()
                keras.backend.set_session(session())
                model, traced = built()
                if hasattr(model, "fit_generator") and IS_1:
                    found = model.fit_generator(make(), 4, epochs=2, shuffle=False, verbose=0, callbacks=callbacks).history
                    assert (swaps(traced) > 1) == bool(callbacks), swaps(traced)
                else:
                    found = fit(model, traced, callbacks, make(), steps_per_epoch=4)
                losses.append(found["loss"])
                assert not any("training" in vars(maker) for maker in vars(model).values() if callable(maker)), vars(model)
            assert losses[0] == losses[1] == losses[2], losses


def the_batch_size_is_that_of_the_fit():
    for data, more, size in (((IMAGES, LABELS), dict(batch_size=16), 16), ((IMAGES, LABELS), {}, 32),
                             ((rows(IMAGES, LABELS),), dict(steps_per_epoch=4), 16)):
        keras.backend.clear_session()
        model, _ = built()
        lms = LMS()
        lms.autotune_gpu_mem = 1
        with logged() as lines:
            (model.fit_generator if IS_1 and len(data) == 1 else model.fit)(*data, verbose=0, callbacks=[lms], **more)
        assert lms.batch_size == size and any("not necessary" in line for line in lines), (lms.batch_size, size, lines)
    keras.backend.clear_session()
    model, _ = built()
    lms = LMS()
    lms.autotune_gpu_mem = 1
    with refused(tideline.Refused, "batch_size"):
        model.fit(tf.data.Dataset.from_tensor_slices((IMAGES, LABELS)).batch(16).repeat(), steps_per_epoch=4, verbose=0,
                  callbacks=[lms])


def what_has_no_effect_is_said():
    """For sessions that are not Keras's."""
    graph = tf.Graph()
    with graph.as_default(), session() as own:
        x = tf.placeholder(tf.float32, [4, 32])
        y = x
        for _ in range(8):
            y = tf.tanh(tf.matmul(y, tf.ones([32, 32])))
        loss = tf.reduce_sum(y + tf.tanh(x))
        own.run(loss, {x: np.ones((4, 32))})
        with logged() as lines:
            LMS(swapout_threshold=3, swapin_ahead=1, swapin_groupby=0).run()
        assert any("have no effect in the default session" in line for line in lines), lines


CASES = [training_stays_in_the_session_that_the_program_has, a_model_that_is_compiled_again_is_swapped_again,
         weights_may_be_loaded_between_edit_and_training, datasets_and_tables_go_on, generators_and_sequences_are_swapped, the_batch_size_is_that_of_the_fit,
         what_has_no_effect_is_said]
if not IS_1:
    tf.disable_eager_execution()
for case in CASES:
    if case.__name__ in (sys.argv[4:] or [case.__name__]):
        case()
        print(case.__name__, flush=True)
