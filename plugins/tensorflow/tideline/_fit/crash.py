"""What a traceback knows about the step that ran out of memory, and the text that explains it."""
import inspect
import re

from .._tensorflow import op_of, tf
from ..errors import UnsupportedGraph
from . import device as devices
from . import keras, text
from .fit import fit

_KERAS_BATCH = 32  # of fit, when it is given arrays and no batch size
_MOST_TENSORS = 10


def explained(error, traceback, model, given, device, options):
    """(Fit, text). `model`, `given`, `device`, `options`: what explain_oom was given."""
    found = {}
    if model is None:
        model, given, found = _running(error, traceback)
    device, device_options, memory = devices.of(error, device)
    found = {**device_options, **found, **options}
    made = fit(model, *given, device=device, **found)
    return made, _text(made.summary, memory)


def _text(summary, memory):
    batch = " (assumed: none is known)" if summary.get("batch_size_assumed") else ""
    lines = ["the simulated step has a batch of {}{} and needs {} at its peak, which is at '{}'; the memory is {} ({}).".format(
        summary["batch_size"], batch, text.size(summary["device_peak_bytes"]), summary["peak_op"],
        text.size(summary["budget_bytes"]), memory)]
    lines.append("Alive then, the largest first:")
    lines += ["  {:>12} {}".format(text.size(alive["bytes"]), alive["tensor"])
              for alive in summary["alive_at_peak"][:_MOST_TENSORS]]
    if summary["fits"]:
        lines.append("So the step itself fits, and {}. Something else has taken memory: other steps or programs, pieces that are "
                     "too small to be used, or tensors that are larger than the graph says.".format(text.largest(summary)))
    else:
        way = text.first_way(summary)
        lines += ["{}.".format(text.largest(summary).capitalize()),
                  "To make it fit: " + way if way else "No way was found to make it fit."]
    return "\n".join(lines)


def _running(error, traceback):
    """(model, specs, options) of what ran: the first of these on the way from the context to the error."""
    while traceback is not None:
        frame = traceback.tb_frame
        for find in (_fitted, _called, _session):
            found = find(*_call(frame), error)
            if found is not None:
                return found
        traceback = traceback.tb_next
    op = getattr(error, "op", None)
    if op is not None and not hasattr(op.graph, "outer_graph"):
        return op.graph, (), {}
    if tf.executing_eagerly():
        raise UnsupportedGraph("the traceback has no model, tf.function or session: give explain_oom the model or the function "
                               "that trains, as tideline.fit is given them")
    return tf.get_default_graph(), (), {}


def _call(frame):
    """(name, arguments by their names) of the function that a frame runs. Where TensorFlow or Keras hide their frames, the
    frame is that of a wrapper, which has the function and what it was called with."""
    values = frame.f_locals
    function = values.get("fn")
    if frame.f_code.co_name == "error_handler" and callable(function):
        try:
            bound = inspect.signature(function).bind(*values.get("args", ()), **values.get("kwargs", {}))
        except (TypeError, ValueError):
            return "", {}
        return function.__name__, bound.arguments
    return frame.f_code.co_name, values


def _fitted(name, values, _):
    """A model that Keras trains."""
    model = values.get("self")
    if name not in ("fit", "train_on_batch") or not (keras.is_model(model) or keras.is_of_graph_mode(model)):
        return None
    x, y = values.get("x"), values.get("y")
    options = {}
    if keras.is_of_graph_mode(model):
        given = ()
    else:
        given = (x,) if y is None else (x, y)
    if name == "fit":
        if not hasattr(x, "element_spec"):
            options["batch_size"] = values.get("batch_size") or _KERAS_BATCH
    elif hasattr(x, "shape") and len(x.shape):
        options["batch_size"] = int(x.shape[0])
    return model, given, options


def _called(name, values, _):
    """A tf.function."""
    function = values.get("self")
    if name != "__call__" or not hasattr(function, "get_concrete_function") or values.get("kwds") or values.get("kwargs"):
        return None
    return function, tuple(values.get("args", ())), {}


def _session(name, values, error):
    """What a session runs. Sizes of what is fed take the place of those that the graph leaves open."""
    session, feeds = values.get("self"), values.get("feed_dict")
    if name != "run" or not isinstance(session, tf.Session) or "fetches" not in values:
        return None
    options = {"fetch": sorted({op_of(item).name for item in _flat(values["fetches"], session.graph)})}
    shapes = {}
    for tensor, value in (feeds or {}).items():
        tensor = session.graph.as_graph_element(tensor)
        dims = getattr(value, "shape", None)
        if isinstance(tensor, tf.Tensor) and dims is not None:
            _note_feed(tensor, [int(size) for size in dims], shapes, options)
    if shapes:
        options["shape"] = shapes
    if "batch_size" not in options:
        options["batch_size"] = _batch_in(error)
    return session.graph, (), options


def _batch_in(error):
    """The batch size by the shape that the error tells, where its first dimension is open in the graph; None if it is not."""
    told = re.search(r"shape\s?\[([0-9,]+)\]", error.message)
    dims = [int(size) for size in told.group(1).split(",")] if told and told.group(1) else []
    for tensor in getattr(error.op, "outputs", ()):
        if dims and tensor.shape.ndims == len(dims):
            known = tensor.shape.as_list()
            if known[0] is None and all(size in (None, dim) for size, dim in zip(known, dims)):
                return dims[0]
    return None


def _flat(fetches, graph):
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, (list, tuple)):
        return [one for item in fetches for one in _flat(item, graph)]
    element = graph.as_graph_element(fetches, allow_tensor=True, allow_operation=True)
    return [element]


def _note_feed(tensor, dims, shapes, options):
    """An open first dimension is the batch, as long as all agree; other open dimensions become a shape."""
    known = tensor.shape.as_list() if tensor.shape.ndims is not None else [-1]
    if known == dims or len(dims) == 0:
        return
    is_batch = tensor.shape.ndims is None or known[0] is None
    if is_batch and options.setdefault("batch_size", dims[0]) == dims[0]:
        dims = ["?"] + dims[1:]
    if tensor.shape.ndims is None or [None if size == "?" else size for size in dims] != known:
        shapes[tensor.op.name] = "x".join(str(size) for size in dims)
