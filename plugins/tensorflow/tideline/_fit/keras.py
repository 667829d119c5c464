"""The training step of a Keras model, traced as `fit` would train it, without a step being made: Keras 2 and Keras 3.

The model stays what it is: the step is that of a second model, which wraps it and has its loss, and an optimizer made like its
own. The slots of that optimizer are handles without values: they take no memory, but for the zeros of one at a time that Keras
makes before. Metrics are left out; they need next to nothing. A model with a train_step of its own is traced by that, with such
optimizers in place of its own.
"""
import contextlib
import importlib
import warnings

import tensorflow as tf2
from tensorflow.python.ops import resource_variable_ops

from ..errors import UnsupportedGraph
from . import functions, specs

_ROOTS = ("keras", "tf_keras")


def is_model(model):
    return any(kind.__name__ == "Model" and _root(kind) for kind in type(model).__mro__)


def is_of_graph_mode(model):
    """Whether Keras builds it in a graph, as all models of TensorFlow 1."""
    return hasattr(type(model), "_make_train_function")


def traced(model, given, loss=None, optimizer=None):
    """(MetaGraphDef, batch size that `given` says) of a training step. `given`: what the step is given, inputs and labels;
    without labels these are like the outputs, for "sparse" losses with integers in place of the last dimension; without inputs,
    these are the model's. Errors: tideline.UnsupportedGraph."""
    keras = importlib.import_module(next(filter(None, map(_root, type(model).__mro__))))
    if getattr(getattr(keras, "backend", None), "backend", lambda: "tensorflow")() != "tensorflow":
        raise UnsupportedGraph("the model is of Keras with the backend {}; only that of TensorFlow makes graphs".format(
            keras.backend.backend()))
    if getattr(model, "distribute_strategy", None) not in (None, tf2.distribute.get_strategy()):
        raise UnsupportedGraph("'{}' was made in the scope of a tf.distribute strategy, whose step is several; make it outside to "
                               "ask about one device".format(model.name))
    own_optimizer = getattr(model, "optimizer", None)
    loss = getattr(model, "loss", None) if loss is None else loss
    if optimizer is None and own_optimizer is None or not loss and not _has_own_step(model):
        raise UnsupportedGraph("the model is not compiled: give loss= and optimizer=, or compile it")
    try:
        with _seeds_kept(model), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = _data(model, given, loss)
            _build(model, data)
            if _has_own_step(model):
                concrete, made = _own_step(keras, model, data)
            else:
                concrete, made = _wrapped_step(keras, model, data, loss, own_optimizer if optimizer is None else optimizer)
            return functions.meta_graph(concrete, _names(model, made)), data.batch_size
    except UnsupportedGraph:
        raise
    except Exception as problem:
        raise UnsupportedGraph("Keras cannot trace a training step of '{}': {}: {}".format(
            model.name, type(problem).__name__, problem)) from problem


def _root(kind):
    """The name of the package of Keras that a class is of; None if of none."""
    return next((root for root in _ROOTS if (kind.__module__ + ".").startswith(root + ".")), None)


def _has_own_step(model):
    kind = next(kind for kind in type(model).__mro__ if "train_step" in vars(kind))
    return _root(kind) is None or "train_step" in vars(model)


def _wrapped_step(keras, model, data, loss, optimizer):
    class Step(keras.Model):
        """Trains `model` under its names, as if it were not wrapped."""

        def __init__(self):
            super().__init__(name="step")
            self.trained, self.built = model, True
            self.output_names = getattr(model, "output_names", None)

        def call(self, inputs, training=None):
            with tf2.compat.v1.get_default_graph().name_scope(None):
                return self.trained(inputs, training=training)

    made = _optimizer_like(keras.optimizers.get(optimizer))
    step = Step()
    step.compile(made, loss=loss, loss_weights=_loss_weights(model))
    return _traced(step, data), [made]


def _own_step(keras, model, data):
    """By the model's own train_step, with optimizers like its own in their place as long as it is traced."""
    own = {name: value for name, value in vars(model).items() if isinstance(value, _optimizers(keras))}
    made = {name: _optimizer_like(value) for name, value in own.items()}
    vars(model).update(made)
    try:
        return _traced(model, data), list(made.values())
    finally:
        vars(model).update(own)


def _optimizers(keras):
    return tuple(kind for kind in (getattr(keras.optimizers, "Optimizer", None), getattr(
        getattr(keras.optimizers, "legacy", None), "Optimizer", None)) if isinstance(kind, type))


def _traced(model, data):
    return tf2.function(lambda *batch: model.train_step(batch), autograph=False).get_concrete_function(*data)


def _optimizer_like(optimizer):
    """Another one of the same kind and parameters, whose variables will have no values."""
    config = optimizer.get_config()
    if "jit_compile" in config:
        config["jit_compile"] = False  # the ops themselves are wanted
    made = type(optimizer).from_config(config)
    for one in (made, getattr(made, "inner_optimizer", None)):
        for name in ("build", "_create_all_weights"):
            if hasattr(one, name):
                vars(one)[name] = _building_without_values(getattr(one, name))
    return made


def _building_without_values(build):
    def built(*arguments, **more):
        with tf2.init_scope(), tf2.variable_creator_scope(_without_value):
            return build(*arguments, **more)

    return built


def _without_value(_, initial_value=None, shape=None, dtype=None, **more):
    """A variable of that shape and type, without the memory for it."""
    with tf2.Graph().as_default():
        value = initial_value() if callable(initial_value) else initial_value
        if value is not None and not (hasattr(value, "shape") and hasattr(value, "dtype")):
            value = tf2.convert_to_tensor(value, dtype)
    taken = {key: more[key] for key in ("trainable", "name", "synchronization", "aggregation") if more.get(key) is not None}
    return resource_variable_ops.UninitializedVariable(
        shape=value.shape if shape is None else shape, dtype=tf2.as_dtype(value.dtype if dtype is None else dtype), **taken)


def _build(model, data):
    """Makes the weights of a model that has none yet, as its first call would. A model that has no call must train itself."""
    if not model.built and data:
        try:
            tf2.function(lambda inputs: model(inputs), autograph=False).get_concrete_function(data[0])
        except NotImplementedError:
            if not _has_own_step(model):
                raise


def _loss_weights(model):
    """Those that the model was compiled with. Keras keeps them with the loss."""
    for name in ("_compile_loss", "compiled_loss"):
        weights = getattr(getattr(model, name, None), "_user_loss_weights", None)
        if weights is not None:
            return weights
    return None


def _names(model, optimizers):
    """Names of variables by the ids of their handles: in Keras 3 a variable has a path, and TensorFlow's knows only its end."""
    found = {}
    for owner in [model] + optimizers:
        variables = owner.variables() if callable(owner.variables) else owner.variables
        for variable in variables:
            if hasattr(variable, "path"):
                found[id(variable.value.handle)] = variable.path
    return found


def _data(model, given, loss):
    """The batch that the step is given, inputs and labels."""
    given = specs.specs_of(given)
    if not given:
        inputs = _shapes_of(model, "input")
        if inputs is None:
            raise UnsupportedGraph("'{}' has no inputs that Keras knows: give specs, such as tf.TensorSpec([None, 28, 28]), or "
                                   "a batch".format(model.name))
        given = specs.Specs([inputs])
    if len(given) > 1 or _has_own_step(model):
        return given
    outputs = _shapes_of(model, "output")
    if outputs is None:
        raise UnsupportedGraph("'{}' has no outputs that Keras knows: give specs of inputs and labels".format(model.name))
    with_labels = specs.Specs([given[0], _labels(model, outputs, loss)])
    with_labels.batch_size = given.batch_size
    return with_labels


def _shapes_of(model, what):
    """The model's inputs or outputs as TensorSpecs, in their structure; None for models that Keras does not build of layers."""
    for name in (what, what + "s"):  # a Sequential of Keras 3 has lists alone
        try:
            tensors = getattr(model, name)
        except (AttributeError, ValueError, RuntimeError):
            continue
        if tensors is not None:
            if isinstance(tensors, list) and len(tensors) == 1:
                tensors, = tensors
            return tf2.nest.map_structure(lambda tensor: tf2.TensorSpec(tensor.shape, tensor.dtype), tensors)
    return None


def _labels(model, outputs, loss):
    flat = tf2.nest.flatten(outputs)
    names = list(getattr(model, "output_names", None) or [None] * len(flat))
    losses = [loss.get(name) for name in names] if isinstance(loss, dict) else (
        list(loss) if isinstance(loss, (list, tuple)) else [loss] * len(flat))
    labels = [_label(output, one) for output, one in zip(flat, losses)]
    return tf2.nest.pack_sequence_as(outputs, labels)


def _label(output, loss):
    name = loss if isinstance(loss, str) else getattr(loss, "name", None) or getattr(loss, "__name__", "")
    if "sparse" in str(name):
        return tf2.TensorSpec(output.shape[:-1], tf2.int32)
    return tf2.TensorSpec(output.shape, tf2.float32 if tf2.as_dtype(output.dtype).is_floating else output.dtype)


@contextlib.contextmanager
def _seeds_kept(model):
    """Keras 2 counts the seeds of its random ops when a step is traced: the next training shall draw the same numbers."""
    generators = [getattr(layer, "_random_generator", None) for layer in getattr(model, "submodules", ())]
    kept = [(generator, dict(vars(generator))) for generator in generators if hasattr(generator, "_seed")]
    try:
        yield
    finally:
        for generator, state in kept:
            vars(generator).update(state)
