"""Names of functions that are imported: fresh ones, which are given back.

The eager context has one list of functions for the whole process, and refuses a second body under one name.
"""
import itertools
import weakref

from tensorflow.python.eager import context

_number = itertools.count()
_NAMING = ("forward_function_name", "backward_function_name")


def make_fresh(definition):
    """Gives each function of the library a name that no function has, wherever it is named."""
    new = {function.signature.name: "{}_tideline_{}".format(function.signature.name, next(_number))
           for function in definition.library.function}
    for node in definition.node:
        _rename_in_node(node, new)
    for function in definition.library.function:
        function.signature.name = new[function.signature.name]
        for node in function.node_def:
            _rename_in_node(node, new)
        for key, value in function.attr.items():
            _rename_in_value(value, new)
            if key in _NAMING:
                name = value.s.decode("utf-8")
                value.s = new.get(name, name).encode("utf-8")
    for gradient in definition.library.gradient:
        gradient.function_name = new.get(gradient.function_name, gradient.function_name)
        gradient.gradient_func = new.get(gradient.gradient_func, gradient.gradient_func)


def add_while_alive(owner, functions):
    """Adds FunctionDefs to the eager context, for as long as `owner` lives."""
    added = []  # filled beforehand, so that an interrupt leaves nothing behind
    weakref.finalize(owner, _remove, added).atexit = False
    for function in functions:
        if not context.context().has_function(function.signature.name):
            added.append(function.signature.name)
            context.context().add_function_def(function)


def _remove(names):
    for name in names:
        if context.context().has_function(name):
            context.context().remove_function(name)


def _rename_in_node(node, new):
    node.op = new.get(node.op, node.op)
    for value in node.attr.values():
        _rename_in_value(value, new)


def _rename_in_value(value, new):
    for function in ([value.func] if value.HasField("func") else []) + list(value.list.func):
        function.name = new.get(function.name, function.name)
        for inner in function.attr.values():
            _rename_in_value(inner, new)
