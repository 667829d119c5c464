"""Functions that are imported: those that are called, under fresh names, which are given back.

The eager context has one list of functions for the whole process, and refuses a second body under one name.
"""
import itertools
import weakref

from tensorflow.python.eager import context

_number = itertools.count()
_NAMING = ("forward_function_name", "backward_function_name")


def drop_unused(definition):
    """Takes the functions out of the library that nothing calls, such as those of inlined calls."""
    functions = {function.signature.name: function for function in definition.library.function}
    found, left = set(), [name for node in definition.node for name in _called(node)]
    while left:
        name = left.pop()
        if name not in functions or name in found:
            continue
        found.add(name)
        function = functions[name]
        left += [called for node in function.node_def for called in _called(node)]
        left += [value.s.decode("utf-8") for key, value in function.attr.items() if key in _NAMING]
        left += [gradient.gradient_func for gradient in definition.library.gradient if gradient.function_name == name]
    for name in set(functions) - found:
        definition.library.function.remove(functions[name])


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
        _rename(function.attr.values(), new)
        for key, value in function.attr.items():
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
    _rename(node.attr.values(), new)


def _rename(values, new):
    for value in values:
        for named in _named(value):
            named.name = new.get(named.name, named.name)


def _called(node):
    return [node.op] + [named.name for value in node.attr.values() for named in _named(value)]


def _named(value):
    """The functions that an attribute names, and those that their own attributes name."""
    for named in ([value.func] if value.HasField("func") else []) + list(value.list.func):
        yield named
        for inner in named.attr.values():
            yield from _named(inner)
