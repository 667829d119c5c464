"""Which ops of a graph a session has taken over.

A session takes over all ops that the graph has when it runs anything, and goes on with them as they are then: what is changed at
them later has no effect there. Ops that are added later it takes over in its next run. TensorFlow has no function that tells; but
a callable can be made without a run, and only for ops that the session has.
"""
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client.session import BaseSession

from .._tensorflow import tf


def taken_over(session, graph):
    """The names of the ops that the session has or may have taken over. None of a session that has not run, or of another
    graph. Cost: some ten callables of one op each. Never runs the session."""
    if session is None or session.graph is not graph:
        return set()
    ops = graph.get_operations()
    # Ops without inputs cost nothing to ask for; every graph has many of them, and ops are taken over in their order.
    sources = [at for at, op in enumerate(ops) if not op.inputs and not op.control_inputs]
    first, last = 0, len(sources)  # the first source that the session lacks is among these
    while first < last:
        middle = (first + last) // 2
        if _has(session, ops[sources[middle]]):
            first = middle + 1
        else:
            last = middle
    if first == 0:
        return set()
    return {op.name for op in (ops[:sources[first]] if first < len(sources) else ops)}


def _has(session, op):
    options = config_pb2.CallableOptions()
    options.target.append(op.name)
    made = BaseSession._Callable.__new__(BaseSession._Callable)
    try:
        made.__init__(session, options)
    except tf.errors.NotFoundError:
        made._handle = None  # TensorFlow 1.13 would release a handle that is not its own
        return False
    except (AttributeError, RuntimeError, TypeError, tf.errors.OpError) as problem:
        made._handle = None
        return "not created" not in str(problem)  # any other session that cannot be asked: it may have taken over everything
    return True
