"""Adds NodeDefs to a live graph, under exactly their names and in any order, also in circles (loops).

TensorFlow imports a GraphDef in one call, all of it or nothing. It gives an op another name when the graph has a scope of
that name (an op `loss` beside `loss/Mean`); such ops are created one by one, between the imports of what they read and of
what reads them.
"""
from ._tensorflow import tf
from .errors import Error


def add_ops(graph, nodes, ops):
    """`ops` is all ops of the graph by name, and gets the new ones. Errors: tideline.Error with TensorFlow's message."""
    new = {node.name: node for node in nodes}
    single = _scopes_among(new, ops)
    try:
        with graph.as_default(), graph.control_dependencies(None), graph.device(None):
            for stage in _stages(nodes, new, single):
                _import(graph, [node for node in stage if node.name not in single], ops)
                for node in stage:
                    if node.name in single:
                        _create(graph, node, ops)
    except (KeyError, TypeError, ValueError, tf.errors.OpError) as problem:
        raise Error("TensorFlow does not take the ops of the plan: {}".format(problem))
    for node in nodes:
        _finish(node, ops)


def tensor(ops, name):
    op, _, slot = name.partition(":")
    return ops[op].outputs[int(slot or 0)]


def _scopes_among(new, ops):
    """The new ops whose name is that of a scope."""
    scopes = _scopes(ops).intersection(new)
    # Those of one import may be scopes of each other, but not of what an earlier import added.
    return scopes | _scopes(new).intersection(new) if scopes else scopes


def _scopes(names):
    scopes = set()
    for name in names:
        while "/" in name:
            name = name.rpartition("/")[0]
            if name in scopes:
                break
            scopes.add(name)
    return scopes


def _stages(nodes, new, single):
    """Lists of ops, each of which reads only the same list and those before; a single one is read by later lists only."""
    if not single:
        return [nodes]
    stage_of = dict.fromkeys(new, 0)
    reads = {node.name: [name for name in map(_op_of, node.input) if name in new] for node in nodes}
    changed = True
    while changed:
        changed = False
        for name, read in reads.items():
            stage = max([stage_of[other] + (other in single) for other in read] or [0])
            if stage > len(single):
                raise Error("the op '{}' of the plan is in a circle, and the graph has a scope of its name".format(name))
            if stage > stage_of[name]:
                stage_of[name], changed = stage, True
    return [[node for node in nodes if stage_of[node.name] == stage] for stage in range(len(single) + 1)]


def _op_of(name):
    return name[1:] if name[0] == "^" else name.partition(":")[0]


def _import(graph, nodes, ops):
    """Inputs from outside are mapped to tensors of the graph; control inputs from outside follow later (_finish)."""
    if not nodes:
        return
    names = {node.name for node in nodes}
    definition, mapped = tf.GraphDef(), {}
    definition.versions.CopyFrom(graph.graph_def_versions)
    for node in nodes:
        copy = definition.node.add()
        copy.CopyFrom(node)
        copy.attr.pop("_class", None)
        del copy.input[:]
        for name in node.input:
            if name[0] != "^":
                copy.input.append(name)
                if _op_of(name) not in names:
                    mapped[name] = tensor(ops, name)
            elif name[1:] in names:
                copy.input.append(name)
    tf.import_graph_def(definition, input_map=mapped, name="")
    for name in names:
        ops[name] = graph.get_operation_by_name(name)


def _create(graph, node, ops):
    inputs = [tensor(ops, name) for name in node.input if name[0] != "^"]
    attributes = {key: value for key, value in node.attr.items() if key not in ("_class", "_output_shapes")}
    # With a slash at its end, a name is taken as it is.
    ops[node.name] = graph.create_op(node.op, inputs, [], input_types=[given.dtype for given in inputs],
                                     name=node.name + "/", attrs=attributes)


def _finish(node, ops):
    op = ops[node.name]
    there = {other.name for other in op.control_inputs}
    after = [ops[name[1:]] for name in node.input if name[0] == "^" and name[1:] not in there]
    if after:
        op._add_control_inputs(after)
    if "_class" in node.attr:
        op._set_attr("_class", node.attr["_class"])
    if op.device != node.device:
        op._set_device(node.device)
