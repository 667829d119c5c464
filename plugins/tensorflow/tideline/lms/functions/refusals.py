"""What cannot be rewritten, refused before anything is changed, with the reason."""
import tensorflow as tf

from ... import _gpu_copies, _live, _program
from ...errors import Refused

_XLA = "XLA removes copies to the host: compile with jit_compile=False"
_WRONG_USAGE = 2


def refuse(reason):
    raise Refused(reason, 1)


def check_options(mode, words):
    """Errors: tideline.Refused with the program's sentence for options that are wrong whatever the graph is. They are checked here
    because the first trace is inside `fit`."""
    if _gpu_copies.asked_for(words):
        _gpu_copies.check_here()
    with tf.Graph().as_default() as graph:
        tf.identity(tf.constant(1.0))
        definition = tf.compat.v1.MetaGraphDef(graph_def=graph.as_graph_def(add_shapes=True))
    with _live.written(definition) as path:
        try:
            _program.run("rewrite", mode, path, *words, "--plan-json", path + ".json", hide=path)
        except Refused as problem:
            if problem.exit_code == _WRONG_USAGE:
                raise


def check_model(model):
    """Errors: tideline.Refused for a model of Keras whose step is no graph, or none that stays as it is written."""
    if getattr(model, "run_eagerly", False):
        refuse("run_eagerly=True: there is no graph; compile the model without it")
    if getattr(model, "jit_compile", False) or getattr(model, "_jit_compile", False):
        refuse("jit_compile={!r}: {}".format(getattr(model, "jit_compile", True) or True, _XLA))
    _check_strategy(getattr(model, "distribute_strategy", None))


def check_here():
    """Errors: tideline.Refused if functions are not traced now, or are traced for several replicas."""
    if tf.executing_eagerly():
        refuse("the step runs eagerly (outside of a tf.function, or by tf.config.run_functions_eagerly): there is no graph")
    _check_strategy(tf.distribute.get_strategy())


def check_function(function):
    """Errors: tideline.Refused for a tf.function that XLA compiles."""
    if getattr(function, "_jit_compile", None):
        refuse("the function is compiled by XLA (jit_compile=True). " + _XLA)


def check_trace(concrete):
    """Errors: tideline.Refused for a ConcreteFunction that has nothing to rewrite, or that cannot be built again."""
    attributes = concrete.function_def.attr
    if "_XlaMustCompile" in attributes and attributes["_XlaMustCompile"].b:
        refuse("the function is compiled by XLA (jit_compile=True). " + _XLA)
    graph = concrete.graph
    if not graph.outputs and not graph.control_outputs:
        refuse("there is no graph: the function makes no ops that a call would run")
    captures = graph._function_captures
    if getattr(captures, "by_ref_internal", None):
        refuse("the function has a capture by reference ({}), which is read when it is called".format(
            ", ".join(sorted(map(str, captures.by_ref_internal)))))


def _check_strategy(strategy):
    if strategy is not None and "DefaultDistributionStrategy" not in type(strategy).__name__:
        refuse("a distribution strategy ({}): the step is traced for each replica".format(
            type(strategy).__name__))
