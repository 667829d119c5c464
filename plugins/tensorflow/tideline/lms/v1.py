"""Version 1 of large model support, under the names of the original: swaps what the backward phase reads.

    from tideline.lms.v1 import LMS
    LMS(graph=tf.get_default_graph(), optimizer_scopes={"adam_optimizer"}).run()

Also as a hook of Estimators (LMSSessionRunHook, LMSHook) and as a callback of Keras (LMSKerasCallback).
"""
import functools
import re

from .. import _words
from .._tensorflow import editable, reached, read_by, tf
from . import _eager, _run
from ._keras import Training

__all__ = ["LMS", "LMSSessionRunHook", "LMSHook", "LMSKerasCallback"]
# Arguments of LMS that version 2 does not have.
OWN_ARGUMENTS = frozenset((
    "graph", "optimizer_scopes", "starting_scope", "starting_op_names", "excl_scopes", "incl_scopes", "excl_types", "incl_types",
    "n_tensors", "lb", "ub", "fuse_swapins", "ctrld_strategy", "swap_branches", "branch_threshold"))


def _graph_may_come_first(init):
    """As in the first versions of the original."""
    @functools.wraps(init)
    def either(self, *arguments, **more):
        if arguments and isinstance(arguments[0], tf.Graph):
            if len(arguments) == 1:
                arguments, more = (), dict(more, graph=arguments[0])
            else:
                arguments = (arguments[1], arguments[0]) + arguments[2:]
        init(self, *arguments, **more)

    return either


class LMS:
    """Edits a graph such that tensors which the backward phase reads wait for it on the host.

    Arguments, each also an attribute:
      optimizer_scopes, graph  prefixes of the names of the ops of the backward phase, and the graph (default: the default graph
                               when it runs); in any order
      starting_scope, starting_op_names   where the search for tensors starts; None: found
      excl_scopes, incl_scopes, excl_types, incl_types   sets of scopes and op types
      n_tensors                swap at most so many tensors (-1: all, 0: none)
      lb, ub                   copy back at least lb ops before the consumer, and less than ub
      fuse_swapins             all backward consumers of a tensor share one copy back
      ctrld_strategy           how the op is found that a copy back waits for: "chain_rule" or "direct_order"
      swap_branches, branch_threshold    also swap for late forward consumers, this many orders after the first one
      debug, debug_level, cpu_device     as in version 2
      keep_tensors, swap_tensors, ahead_tensors, keep_fusion, copy_mode   as in version 2, but ahead_tensors takes the place of lb
      tideline_options         further options of `tideline rewrite lms1`

    Errors, when it runs: ValueError (tideline.Refused) with the text of the original for scopes, ops and types that do not
    exist; other errors of tideline. The graph is then as it was.
    """

    @_graph_may_come_first
    def __init__(self, optimizer_scopes=None, graph=None, starting_scope=None, starting_op_names=None, excl_scopes=None,
                 incl_scopes=None, excl_types=None, incl_types=None, lb=1, ub=10000, n_tensors=-1, fuse_swapins=False,
                 ctrld_strategy="chain_rule", swap_branches=False, branch_threshold=0, debug=False, debug_level=1,
                 cpu_device="/cpu:0", tideline_options=(), keep_tensors=(), swap_tensors=(), ahead_tensors=None,
                 keep_fusion=None, copy_mode=None):
        if not optimizer_scopes:
            raise ValueError("optimizer_scopes is missing; expected prefixes of the names of the ops of the backward phase, such "
                             "as {'adam_optimizer'}")
        self.graph, self.optimizer_scopes = graph, optimizer_scopes
        self.starting_scope, self.starting_op_names = starting_scope, starting_op_names
        self.excl_scopes, self.incl_scopes = excl_scopes, incl_scopes
        self.excl_types, self.incl_types = excl_types, incl_types
        self.n_tensors, self.lb, self.ub = n_tensors, lb, ub
        self.fuse_swapins, self.ctrld_strategy = fuse_swapins, ctrld_strategy
        self.swap_branches, self.branch_threshold = swap_branches, branch_threshold
        self.debug, self.debug_level, self.cpu_device = debug, debug_level, cpu_device
        self.keep_tensors, self.swap_tensors, self.ahead_tensors = keep_tensors, swap_tensors, ahead_tensors
        self.keep_fusion, self.copy_mode, self.tideline_options = keep_fusion, copy_mode, tideline_options

    def run(self, graph=None):
        """Edits the graph in place and returns the set of the ops that were added; none if it was edited before."""
        return self._edit(editable(self.graph if graph is None else graph))

    def _edit(self, graph, step=None):
        return _run.edit(graph, "lms1", self._words(), step=step)

    def _rewriting(self):
        """What is done to the traces of functions in eager mode."""
        return _eager.rewriting(self, "lms1", self._words())

    def _words(self):
        words = []
        for name in ("optimizer_scopes", "starting_op_names", "excl_scopes", "incl_scopes", "excl_types", "incl_types"):
            words += _words.names(name, getattr(self, name))
        for name in ("n_tensors", "lb", "ub", "branch_threshold"):
            words += _words.integer(name, getattr(self, name))
        for name in ("starting_scope", "ctrld_strategy", "cpu_device"):
            words += _words.text(name, getattr(self, name))
        for name in ("fuse_swapins", "swap_branches"):
            words += _words.switch(name, getattr(self, name))
        words += _words.overrides(self) + _words.switch("keep_fusion", self.keep_fusion) + _words.text("copy_mode", self.copy_mode)
        return words + _run.debug(self.debug, self.debug_level) + [str(word) for word in self.tideline_options]


class LMSSessionRunHook(tf.train.SessionRunHook):
    """Edits the default graph before its session is made. Arguments: those of LMS but the graph."""

    def __init__(self, *args, **kwargs):
        kwargs.pop("graph", None)
        self.lms_obj = LMS(*args, **kwargs)

    def begin(self):
        self.lms_obj.run(tf.get_default_graph())


LMSHook = LMSSessionRunHook


class LMSKerasCallback(tf.keras.callbacks.Callback):
    """Edits the graph of the model that a fit trains; in eager mode as tideline.lms.apply does. Arguments: those of LMS but the
    graph. Without scopes of an optimizer: those that Keras gives the gradients of the model's."""

    def __init__(self, optimizer_scopes_override=None, **kwargs):
        super().__init__()
        kwargs.pop("graph", None)
        scopes = kwargs.pop("optimizer_scopes", None)
        self._given = self._scopes = optimizer_scopes_override or scopes
        self.lms_obj = LMS(optimizer_scopes=self._given or {"training"}, **kwargs)
        self._training = None

    def set_model(self, model):
        super().set_model(model)
        if _eager.is_eager(model):
            self.lms_obj.optimizer_scopes = self._given or {_eager.BACKWARD}
            _eager.install(model, self.lms_obj._rewriting())
            return
        if self._training is not None:
            self._training.end()
        self._scopes = self._given
        self._training = Training(model, lambda step: self._edit(model, step))
        self._training.begin()

    def on_train_batch_end(self, batch, logs=None):
        _run.warn_unless_edited(self._training)

    def on_batch_end(self, batch, logs=None):
        self.on_train_batch_end(batch, logs)

    def on_train_end(self, logs=None):
        if self._training is not None:
            self._training.end()

    def _edit(self, model, step):
        self.lms_obj.optimizer_scopes = self._scopes or _gradients_of(model, step) or {"training"}
        added = self.lms_obj._edit(editable(), step)
        self._scopes = None  # what Keras makes anew has another scope
        return added


def _gradients_of(model, step):
    """The scopes in which Keras made the gradients of its optimizer, such as `training/Adam/gradients`."""
    scope = re.compile(r"((training(_\d+)?/)?{}(_\d+)?/gradients(_\d+)?)/".format(re.escape(type(model.optimizer).__name__)))
    found = [scope.match(op.name) for op in reached(step.fetches(), read_by)]
    return {match.group(1) for match in found if match}
