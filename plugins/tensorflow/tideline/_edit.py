"""Applies plans to a live tf.Graph, all or nothing.

A plan is checked against the graph before anything changes; TensorFlow then adds all ops in one call, which adds all or none;
before an op that was there is changed, what it was is written down, and put back, last first, when anything fails. TensorFlow
has no way to remove ops: if one of its own calls fails after the ops were added, they stay behind, and nothing reads them.

Known limit: a session that has run a graph keeps the ops as they were then. Edit before the first run.
"""
from . import _plan_nodes
from ._add_ops import add_ops, tensor
from .errors import GraphChanged, UnsupportedGraph


class Edit:
    """The edits of one graph. `original`: the NodeDefs that it had when the first plan was made, by name."""

    def __init__(self, graph, original):
        self._graph = graph
        self._original = original
        self._undo = []

    def apply(self, plan):
        ops = {op.name: op for op in self._graph.get_operations()}
        _check(plan, ops)
        if plan["added"]:
            add_ops(self._graph, _plan_nodes.added_nodes(plan, lambda name: self._original_node(name, ops)), ops)
        for change in plan["rerouted"]:
            self._reroute(ops[change["op"]], change["slot"], tensor(ops, change["to"]))
        for change in plan["control"]:
            self._wait(ops[change["op"]], [ops[name] for name in change["after"]])
        for change in plan.get("removed_control", []):
            self._wait_no_more(ops[change["op"]], set(change["after"]))
        for name, device in plan.get("devices", {}).items():
            self._place(ops[name], device)
        for name, changes in plan.get("attributes", {}).items():
            for key, value in changes.items():
                self._set(ops[name], key, None if value is None else _plan_nodes.attribute(value))

    def _original_node(self, name, ops):
        return self._original[name] if name in self._original else ops[name].node_def

    def undo(self):
        """Puts back what was changed, also what was changed in part. An entry is dropped after it was undone: whoever is
        interrupted here calls this again."""
        while self._undo:
            self._undo[-1]()
            self._undo.pop()

    def _reroute(self, op, slot, tensor):
        before = op.inputs[slot]
        self._undo.append(lambda: op._update_input(slot, before))
        op._update_input(slot, tensor)

    def _wait(self, op, others):
        there = set(op.control_inputs)
        new = [other for other in others if other not in there]
        if new:
            self._keep_control(op)
            op._add_control_inputs(new)

    def _wait_no_more(self, op, names):
        self._keep_control(op)
        _put_control(op, [other for other in op.control_inputs if other.name not in names])

    def _keep_control(self, op):
        before = list(op.control_inputs)
        self._undo.append(lambda: _put_control(op, before))

    def _place(self, op, device):
        before = op.device
        self._undo.append(lambda: op._set_device(before))
        op._set_device(device)

    def _set(self, op, key, value):
        before = op.node_def.attr
        before = before[key] if key in before else None
        if value is None and not hasattr(op, "_clear_attr"):
            raise UnsupportedGraph("{}: this TensorFlow cannot remove the attribute '{}' of an op".format(op.name, key))
        change = lambda to: op._clear_attr(key) if to is None else op._set_attr(key, to)
        if before is not None or hasattr(op, "_clear_attr"):
            self._undo.append(lambda: change(before))
        change(value)


def _put_control(op, others):
    op._remove_all_control_inputs()
    op._add_control_inputs(others)


def _check(plan, ops):
    """The plan fits the graph, or an error says what does not."""
    if plan.get("emptied"):
        raise UnsupportedGraph("a plan of kind {!r} inlines calls ({!r}), which cannot be done to a live graph: write the graph "
                               "to a file, use `tideline rewrite --inline`, and import that".format(
                                   plan["kind"], plan["emptied"][0]))
    if plan.get("removed"):
        raise UnsupportedGraph("the plan (kind {}) removes the op '{}', which no live graph allows: write the graph with "
                               "`tideline rewrite`, and import that".format(plan["kind"], plan["removed"][0]))
    added = {entry["name"]: entry for entry in plan["added"]}
    for name in added:
        if name in ops:
            raise GraphChanged("the plan adds an op '{}', but the graph has one of that name".format(name))
    for entry in plan["added"]:
        if "copy_of" in entry:
            _need_op(entry["copy_of"], ops, ())
        for name in entry["control_inputs"]:
            _need_op(name, ops, added)
        for name in entry["inputs"]:
            _need_tensor(name, ops, added)
    for change in plan["rerouted"]:
        _need_op(change["op"], ops, ())
        _need_tensor(change["to"], ops, added)
        inputs = ops[change["op"]].inputs
        if change["slot"] >= len(inputs) or inputs[change["slot"]].name != change["from"]:
            raise GraphChanged("the plan was made for a graph in which input {} of '{}' is '{}'".format(
                change["slot"], change["op"], change["from"]))
    for change in plan["control"] + plan.get("removed_control", []):
        for name in [change["op"]] + change["after"]:
            _need_op(name, ops, added)
    for name in list(plan.get("devices", {})) + list(plan.get("attributes", {})):
        _need_op(name, ops, added)


def _need_op(name, ops, added):
    if name not in ops and name not in added:
        raise GraphChanged("the plan was made for a graph with an op '{}', which this one lacks".format(name))


def _need_tensor(name, ops, added):
    op, _, slot = name.partition(":")
    _need_op(op, ops, added)
    if op in ops and int(slot or 0) >= len(ops[op].outputs):
        raise GraphChanged("the plan was made for a graph with a tensor '{}', which this one lacks".format(name))
