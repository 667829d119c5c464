"""Models of Keras, 2 and 3, that train through a rewritten step.

The step stays one call in whatever Keras builds around it, so callbacks, metrics, weights, schedules and train_steps that programs
override are as without it.
"""
import tensorflow as tf
from tensorflow.python.autograph.core import ag_ctx
from tensorflow.python.autograph.impl import api as autograph

from . import _policy, refusals
from .wrapped import through


def apply(model, device_memory=None, policy="lms2", **options):
    """From now on `model.fit` and `train_on_batch` train through a step with swaps, until `undo(model)`.

    model          a compiled model of Keras 2, or of Keras 3 with the backend TensorFlow
    device_memory  the budget: parameters that are not given are found such that a step fits; "4GiB", or bytes
    policy         "lms2" or "lms1"; or an object LMS of one of both versions, in place of device_memory and options
    options        those of `tideline rewrite lms2` or lms1: swapout_threshold=50, batch_size=8, keep_tensors={...},
                   excl_output_by_scopes={...}; inline=True: calls are inlined before; keep_fusion=False: swap-ins may also
                   wait for ops that TensorFlow's graph optimizer fuses, which changes the last bits of results

    The result is a function for Keras, which asks for it as model.train_step; `tideline.lms.traces(model)` says what was done to each
    trace. A second call replaces the first. Errors: tideline.Refused for what can be told before the step is traced; what the
    graph does not allow comes out of `fit` as the same class. The model is then as it was.
    """
    return install(model, _policy.rewriting(device_memory, policy, options))


def install(model, rewriting):
    if not callable(getattr(model, "train_step", None)):
        refusals.refuse("expected a model of Keras that is compiled, not {}".format(
            model if isinstance(model, str) else type(model).__name__))
    refusals.check_model(model)
    rewriting.check()
    before = vars(model).get("train_step")
    is_ours = hasattr(before, "tideline")
    original = before.original if is_ours else model.train_step

    def own_function():
        """A function of its own for every trace: compile() makes new variables, which an old trace does not know."""
        refusals.check_model(model)
        rewriting.optimizer_scopes = _optimizer_scopes(model)
        as_called = autograph.tf_convert(original, ag_ctx.control_status_ctx(), convert_by_default=False)
        return tf.function(as_called, autograph=False)

    step = through(own_function, rewriting, is_own=True)
    step.original = original
    step.before = before.before if is_ours else before
    model.train_function = None  # a cache: the model is as it was until the next line
    object.__setattr__(model, "train_step", step)  # Keras 3 would track it
    return step


def _optimizer_scopes(model):
    """The names of the model's optimizers, which are the scopes of their ops; also of those inside others (loss scaling)."""
    found = [value for value in list(vars(model).values()) + [getattr(model, "optimizer", None)] if hasattr(value, "apply_gradients")]
    found += [inner for inner in (getattr(each, "inner_optimizer", None) for each in found) if inner is not None]
    return sorted({each.name for each in found if isinstance(getattr(each, "name", None), str)})


def undo(model):
    """Takes `apply` back; nothing if it was not called."""
    step = vars(model).get("train_step")
    if not hasattr(step, "tideline"):
        return
    model.train_function = None
    if step.before is not None:
        object.__setattr__(model, "train_step", step.before)
    else:
        object.__delattr__(model, "train_step")
