"""Version 2 of large model support, under the names of the original."""
import os

from .. import _live, _program, _words
from .._tensorflow import editable, tf
from . import _arguments, _device_memory, _eager, _run, v1
from ._keras import Training

_FILTERS = tuple("{}_{}_by_{}".format(kind, side, what) for kind in ("excl", "incl") for side in ("output", "input")
                 for what in ("scopes", "types"))
_FOUND = ("swapout_threshold", "swapin_ahead", "swapin_groupby")
# Larger than any device: what is wrong with graph and parameters is said before the device is.
_ANY_MEMORY = 2 ** 60


class LMS(tf.keras.callbacks.Callback, tf.train.SessionRunHook):
    """Edits a graph such that tensors leave the device while they are idle for long.

    Arguments (-1 or None: found by auto-tuning), each also an attribute:
      swapout_threshold      swap a tensor for consumers more than this many levels away
      swapin_groupby         consumers at most this many levels apart share a copy back
      swapin_ahead           copy it back this many levels before its first consumer
      sync_mode              0: copies are asynchronous; 1: swap-outs are synchronised, 2: swap-ins, 3: both
      serialization          levels (60) and slices of levels ("60:64") whose ops run one after the other
      serialization_by_size  the same for levels that need more GiB than this; 0: none
      debug, debug_level     log every swap (1), and what is kept and why (2)
      cpu_device, gpu_device where copies go; the only device that is looked at (None: all GPUs)

    Attributes:
      excl_output_by_scopes, ..._by_types, excl_input_by_..., incl_output_by_..., incl_input_by_...
                             sets of prefixes of op names, and of op types
      keep_tensors, swap_tensors   sets of tensors that are never and always swapped (not known to the original)
      ahead_tensors          how many levels before its first reader a tensor is copied back, instead of swapin_ahead, as in
                             {"conv1/Relu:0": 7} (not known to the original)
      is_training            False: the graph is for inference
      batch_size             what an unknown first dimension is; auto-tuning needs it when the graph is fed
      autotune_gpu_mem       GiB of the device for auto-tuning; None: the GPU is asked
      autotune_plot          True, or the name of a picture (.svg, .png): memory over the step, with and without swapping.
                             True writes .lms/autotune.png, or .svg where the executable cannot draw PNG
      keep_fusion            True: swap-ins wait for no op that TensorFlow's graph optimizer fuses, so that results stay the same bits;
                             None: so in eager mode, and as the original in graph mode
      swap_lists             True: lists that loops of TensorFlow 2 keep for their gradients are swapped, too, each as one value
      copy_mode              "grappler": copies are the ops of TensorFlow's memory optimizer, which only GPUs have; refused elsewhere, and
                             never run on a GPU with plans of tideline. None: Identity ops, as the original
      tideline_options       further options of `tideline rewrite lms2`, a list such as ["--guard-conditionals"]

    Errors, when it runs: ValueError (tideline.Refused) with the text of the original for a scope or type that matches
    nothing, a missing batch size, parameters that cannot be found; other errors of tideline. The graph is then as it was.
    """

    def __new__(cls, *arguments, **more):
        """An object of version 1 for its arguments: both versions of the original have this class under the same name."""
        if cls is LMS and _is_version1(arguments, more):
            return v1.LMS(*arguments, **more)
        return super().__new__(cls)

    def __init__(self, swapout_threshold=-1, swapin_groupby=-1, swapin_ahead=-1, sync_mode=0, serialization=None,
                 serialization_by_size=0, debug=False, debug_level=1, cpu_device="/cpu:0", gpu_device=None):
        super().__init__()
        _arguments.check(integers=dict(swapout_threshold=swapout_threshold, swapin_groupby=swapin_groupby, swapin_ahead=swapin_ahead,
                                       sync_mode=sync_mode, debug_level=debug_level),
                         numbers=dict(serialization_by_size=serialization_by_size), levels=dict(serialization=serialization),
                         not_zero=dict(swapout_threshold=swapout_threshold, swapin_ahead=swapin_ahead))
        self.swapout_threshold, self.swapin_groupby, self.swapin_ahead = swapout_threshold, swapin_groupby, swapin_ahead
        if sync_mode not in (0, 1, 2, 3):
            raise ValueError("Invalid value for sync_mode: {!r}; expected 0, 1, 2 or 3".format(sync_mode))
        self.sync_mode = sync_mode
        self.serialization = list(serialization or [])
        self.serialization_by_size = serialization_by_size
        self.debug, self.debug_level = debug, debug_level
        self.cpu_device, self.gpu_device = cpu_device, gpu_device
        for name in _FILTERS:
            setattr(self, name, set())
        self.keep_tensors, self.swap_tensors, self.ahead_tensors = set(), set(), {}
        self.is_training = True
        self.batch_size = None
        self.autotune_gpu_mem = None
        self.autotune_plot = False
        self.keep_fusion = None
        self.copy_mode = None
        self.swap_lists = False
        self.tideline_options = []
        self._training, self._waits = None, False

    def run(self, graph=None, keras=False):
        """Edits the graph (default: the default graph) in place and returns the set of the ops that were added; none if it
        was edited before, or when auto-tuning finds that everything fits. `keras`: the graph has a learning phase of
        Keras."""
        return self._edit(editable(graph), keras)

    def begin(self):
        """As a tf.train.SessionRunHook: edits the default graph before its session is made."""
        self.run(tf.get_default_graph())

    def set_model(self, model):
        """As a callback of Keras in graph mode: edits what fit made for the model, and what it makes later; in the session that Keras
        has. A batch size that auto-tuning needs is waited for. In eager mode: what tideline.lms.apply does, until tideline.lms.undo."""
        super().set_model(model)
        if _eager.is_eager(model):
            _eager.install(model, self._rewriting())
            return
        if self._training is not None:
            self._training.end()
        self._training = Training(model, lambda step: self._edit(editable(), True, step), self.is_training)
        self._waits = True
        self._begin_unless_waiting()

    def set_params(self, params):
        super().set_params(params)
        if (params or {}).get("batch_size"):
            self.batch_size = params["batch_size"]
        self._begin_unless_waiting()

    def on_train_batch_begin(self, batch, logs=None):
        """The first batch of a generator tells its size. Of a dataset it does not: the size is then said to be 1."""
        if self._waits:
            size = (logs or {}).get("size", 1)
            self.batch_size = self.batch_size or (int(size) if size > 1 else None)
            self._begin()

    def on_train_batch_end(self, batch, logs=None):
        _run.warn_unless_edited(self._training)

    def on_batch_begin(self, batch, logs=None):
        """What calls this is a training in TensorFlow 1.13."""
        self.on_train_batch_begin(batch, logs)

    def on_batch_end(self, batch, logs=None):
        self.on_train_batch_end(batch, logs)

    def on_train_end(self, logs=None):
        if self._training is not None:
            self._training.end()

    def _begin_unless_waiting(self):
        if self._waits and not (self._is_tuning() and self.batch_size is None and _has_open_placeholders()):
            self._begin()

    def _begin(self):
        self._waits = False
        self._training.begin()

    def _edit(self, graph, keras, step=None):
        words = self._words(keras)
        budget, is_known = self._budget()

        def check():
            self._check_memory(is_known)
            if budget and self.autotune_plot:
                self._plot(graph, words + budget)

        return _run.edit(graph, "lms2", words + budget + _run.debug(self.debug, self.debug_level), check, step)

    def _words(self, keras):
        words = []
        for name in _FOUND:
            words += _words.integer(name, getattr(self, name))
        words += _words.integer("sync_mode", self.sync_mode)
        words += _words.levels("serialization", self.serialization)
        words += _words.gib("serialization_by_size", self.serialization_by_size)
        words += _words.text("cpu_device", self.cpu_device) + _words.text("gpu_device", self.gpu_device)
        words += _words.integer("batch_size", self.batch_size)
        words += _words.switch("inference", not self.is_training) + _words.switch("keras", keras)
        for name in _FILTERS:
            words += _words.names(name, getattr(self, name))
        words += _words.overrides(self) + _words.switch("keep_fusion", self.keep_fusion) + _words.text("copy_mode", self.copy_mode)
        words += _words.switch("swap_lists", self.swap_lists)
        return words + [str(word) for word in self.tideline_options]

    def _budget(self):
        """Options that make the executable look for the parameters that are not given, and whether the memory is known."""
        if not self._is_tuning():
            return [], True
        ratio = _device_memory.ratio()
        if self.autotune_gpu_mem is not None:
            return _words.gib("device_memory", self.autotune_gpu_mem) + ratio, True
        found = _device_memory.of_gpu()
        return ["--device-memory={}".format(found or _ANY_MEMORY)] + ratio, found is not None

    def _is_tuning(self):
        return not all(_words.integer(name, getattr(self, name)) for name in _FOUND)

    def _rewriting(self):
        """What is done to the traces of functions in eager mode."""
        budget, is_known = self._budget()
        self._check_memory(is_known)
        return _eager.rewriting(self, "lms2", self._words(False) + budget + _run.debug(self.debug, self.debug_level))

    def _check_memory(self, is_known):
        if not is_known:
            raise ValueError("Auto-tuning needs to know how much memory the GPU has, and no GPU was found: set the property "
                             "autotune_gpu_mem (GiB), or values for {}.".format(", ".join(_FOUND)))

    def _plot(self, graph, words):
        path = self.autotune_plot
        if path is True:
            os.makedirs(".lms", exist_ok=True)
            path = os.path.join(".lms", "autotune." + ("png" if _program.has_display() else "svg"))
        with _live.exported(graph) as exported:
            _program.run("render", exported, "--view=memory", "--policy=lms2", "--force", "--output={}".format(path), *words,
                         display=str(path).endswith(".png"), hide=exported)
        tf.logging.info("[LMS] wrote {}".format(path))


def _is_version1(arguments, more):
    """Scopes of an optimizer or a graph come first there; its other arguments have names that version 2 does not know."""
    first = arguments[0] if arguments else None
    scopes = isinstance(first, (set, frozenset, list, tuple)) and first and all(isinstance(name, str) for name in first)
    return bool(scopes) or isinstance(first, tf.Graph) or not v1.OWN_ARGUMENTS.isdisjoint(more)


def _has_open_placeholders():
    """Whether the default graph is fed batches of a size that it does not say."""
    for op in tf.get_default_graph().get_operations():
        if op.type in ("Placeholder", "PlaceholderWithDefault"):
            dims = op.outputs[0].shape.dims
            if dims and tf.dimension_value(dims[0]) is None:
                return True
    return False
