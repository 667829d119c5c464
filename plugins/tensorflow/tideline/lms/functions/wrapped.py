"""Functions whose traces are rewritten. The function in front is a tf.function whose body traces the original and calls the
rewritten trace, so TensorFlow's own cache decides when there is another trace. A second cache would hand out functions whose
variables are gone."""
import functools
import inspect

import tensorflow as tf

from . import _policy, refusals


def rewrite_function(fn, device_memory=None, policy="lms2", **options):
    """A tf.function that does what `fn` does, with swaps.

    fn       a tf.function, a Python function that could be one, or a ConcreteFunction, also a loaded one; it stays as it is
    others   as for tideline.lms.apply

    `traces(result)` says what was done to each of its traces. Errors: tideline.Refused for what can be told before a trace is made;
    the rest when it is called. A ConcreteFunction is rewritten at once.
    """
    if not callable(fn):
        refusals.refuse("expected a tf.function, not {}; files are rewritten by the program: tideline rewrite".format(
            fn if isinstance(fn, str) else type(fn).__name__))
    refusals.check_function(fn)
    rewriting = _policy.rewriting(device_memory, policy, options)
    rewriting.check()
    if hasattr(fn, "captured_inputs") and hasattr(fn, "graph"):
        rewritten = rewriting.rewrite(fn, is_own=False)
        rewritten.tideline = rewriting
        return rewritten
    if not hasattr(fn, "get_concrete_function"):
        fn = tf.function(fn)
    if hasattr(fn, "concrete_functions"):  # a loaded one has traces and no Python code
        traced = through(lambda: fn, rewriting, is_own=False, kept={})
    else:
        clones = []

        def clone():
            if not clones:
                clones.append(fn._clone(None))
            return clones[0]

        traced = through(clone, rewriting, is_own=True, kept={}, failed=clones.clear)
    rewritten = _in_front(fn, traced)
    rewritten.tideline = rewriting
    return rewritten


def traces(what):
    """What is known of each trace (Trace) of what rewrite_function gave, or of a model that `apply` was called for, in the order in
    which they were made, as long as TensorFlow has them."""
    found = getattr(what, "tideline", None) or getattr(getattr(what, "train_step", None), "tideline", None)
    if found is None:
        raise ValueError("{!r} was not rewritten by tideline.lms".format(what))
    return found.traces


def through(original, rewriting, is_own, kept=None, failed=lambda: None):
    """The Python function that traces what `original()`, a tf.function, gives for its arguments, and calls the rewritten trace.
    `kept`: a dict for a function that is always the same one and has traces from before, which are rewritten once. `failed` is called
    when a trace was not rewritten, perhaps only in part: `original` is to give another function from then on."""

    def traced(*args, **kwargs):
        refusals.check_here()
        function = original()
        args, kwargs = _with_defaults(function, args, kwargs)
        concrete = function.get_concrete_function(*args, **kwargs)
        rewritten = None if kept is None else kept.get(concrete)
        if rewritten is None:
            try:
                rewritten = rewriting.rewrite(concrete, is_own)
                if kept is not None:
                    kept[concrete] = rewritten
            except BaseException:
                failed()
                raise
        return rewritten(*args, **kwargs)

    traced.autograph_info__ = {}  # autograph calls it as it is, and what it calls as without it
    traced.tideline = rewriting
    return traced


def _in_front(fn, traced):
    """`traced` as a tf.function that retraces when `fn` would."""
    try:
        traced.__signature__ = inspect.signature(fn.python_function)
    except (AttributeError, TypeError, ValueError):
        pass
    functools.update_wrapper(traced, fn.python_function if hasattr(fn, "python_function") else fn,
                             assigned=("__name__", "__qualname__", "__doc__"), updated=())
    del traced.__wrapped__
    return tf.function(traced, autograph=False, input_signature=getattr(fn, "input_signature", None),
                       reduce_retracing=bool(getattr(fn, "_reduce_retracing", False)))


def _with_defaults(function, args, kwargs):
    """A ConcreteFunction wants every argument, those with defaults too."""
    try:
        bound = inspect.signature(function.python_function).bind(*args, **kwargs)
    except (AttributeError, TypeError, ValueError):
        return args, kwargs
    bound.apply_defaults()
    return bound.args, bound.kwargs
