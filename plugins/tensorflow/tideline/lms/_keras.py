"""What Keras trains a model by, in graph mode: functions, each a set of ops that it runs in one session.

Keras makes the function for training before a fit calls its callbacks, or (generators) with the first batch, and makes it anew
when sample weights come. Its session is the default session, or one that it keeps and that programs may set or get. Both stay
what they are: where a session has taken over ops before they are edited, the functions run edited copies of them.
"""
import sys
import weakref

from .._tensorflow import editable, op_of, tf

_TRAINING = ("train_function", "_fit_function")
_OTHERS = ("test_function", "_eval_function", "predict_function")
_MAKERS = ("_make_train_function", "_make_fit_function")


_edited = weakref.WeakKeyDictionary()  # graph: the functions in it that were edited, as a WeakSet


class Step:
    """Functions that are edited together. `session` is the one that they run in, None if Keras has made none yet; `is_another`:
    none of them was edited before, but others of the same graph were."""

    def __init__(self, model, functions):
        self.functions, self.session = functions, _session(model)
        self._before = _edited.get(self._graph(), ())
        self.is_another = bool(self._before) and len(self.not_edited()) == len(functions) > 0

    def _graph(self):
        return self.functions[0].outputs[0].graph if self.functions else tf.get_default_graph()

    def not_edited(self):
        return [function for function in self.functions if function not in self._before]

    def fetches(self):
        """The ops that the functions run."""
        found = []
        for function in self.functions:
            found += [op_of(item) for item in list(function.outputs) + list(function.fetches) + [function.updates_op]]
        return found

    def take(self, copies):
        """Makes the functions run copies, names by the names of the originals; they are edited then."""
        _edited.setdefault(self._graph(), weakref.WeakSet()).update(self.functions)
        for function in self.functions:
            function.outputs = [_copy(item, copies) for item in function.outputs]
            function.fetches = [_copy(item, copies) for item in function.fetches]
            function.updates_op = _copy(function.updates_op, copies)
            function._callable_fn = None


class Training:
    """Has `edit(step)` called for what a model trains by: at once for what is there, and during the training for what Keras
    makes later. `is_training`: False for a model that is only asked."""

    def __init__(self, model, edit, is_training=True):
        editable()  # refuses eager code before anything is asked of the model
        self._model, self._edit = model, edit
        self._names = _TRAINING if is_training else _OTHERS
        self._edited = []
        self._is_told = False

    def begin(self):
        self._watch()
        if "train_function" in self._names and not self._new() and getattr(self._model, "total_loss", None) is not None:
            # TensorFlow 1.13 fits by another function than it trains single batches by. Both are watched, so it is edited.
            getattr(self._model, "_make_fit_function", self._model._make_train_function)()
        if self._new() or "train_function" not in self._names:
            self._edit_new()

    def end(self):
        for name in _MAKERS:
            if getattr(vars(self._model).get(name), "training", None) is self:
                del vars(self._model)[name]

    def is_missed(self):
        """Whether nothing was edited; true once."""
        missed, self._is_told = not self._edited and not self._is_told, True
        return missed

    def _watch(self):
        for name in _MAKERS:
            maker = getattr(type(self._model), name, None)
            if maker is not None:
                vars(self._model)[name] = self._watched(maker)

    def _watched(self, maker):
        def make(*arguments, **more):
            result = maker(self._model, *arguments, **more)
            if self._new():
                self._edit_new()
            return result

        make.training = self
        return make

    def _new(self):
        return [function for function in _functions(self._model, self._names)
                if not any(function is edited for edited in self._edited)]

    def _edit_new(self):
        functions = self._new() if self._edited else _functions(self._model, _TRAINING + _OTHERS)
        self._edited += functions
        step = Step(self._model, functions)
        fresh = step.not_edited()
        is_there = any(function in fresh for function in _functions(self._model, self._names))
        self._edit(Step(self._model, fresh) if is_there else step)


def _functions(model, names):
    """The functions of these names that Keras has made; those of eager code are of another kind."""
    found = [getattr(model, name, None) for name in names]
    return [function for function in found if hasattr(function, "updates_op")]


def _session(model):
    """K.get_session would run it, and so have it take over what is not edited yet."""
    return tf.get_default_session() or _kept_session(_backend(model))


def _kept_session(backend):
    kept = getattr(backend, "_SESSION", None)
    return kept if kept is None or hasattr(kept, "run") else getattr(kept, "session", None)


def _backend(model):
    """The backend of the Keras that the model is of: there are several, such as tensorflow.python.keras beside tf.keras."""
    for kind in type(model).__mro__:
        package = kind.__module__
        while "." in package:
            package = package.rpartition(".")[0]
            for name in (package + ".backend.tensorflow_backend", package + ".backend"):
                if hasattr(sys.modules.get(name), "_SESSION"):
                    return sys.modules[name]
    return None


def _copy(item, copies):
    name = copies.get(op_of(item).name)
    if name is None:
        return item
    op = item.graph.get_operation_by_name(name)
    return op if isinstance(item, tf.Operation) else op.outputs[item.value_index]
