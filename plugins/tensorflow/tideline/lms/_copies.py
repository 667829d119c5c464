"""The plan for a step whose ops a session has taken over: changes go to copies of them.

Copied is what the plan changes among those ops, and all that depends on it within the step. Variables, tables, iterators and queues
have no inputs, and so stay what they are: the copies read and write the same ones.
"""
from .. import _live
from .._tensorflow import reached, read_by


def renamed(plan, graph):
    """The plan under names for its new ops that the graph does not have."""
    taken = {op.name for op in graph.get_operations()}
    new = [added["name"] for added in plan["added"]]
    free = _free(taken.union(new))
    return _made(plan, _live.with_names(plan, {name: free(name) for name in new if name in taken}))


def on_copies(plan, graph, taken_over, fetches):
    """(plan, copies): the plan with changes of copies in place of changes of the ops in `taken_over` which the step of `fetches`
    (ops) runs; `copies` has the name of the copy by that of the original."""
    fixed = changed(plan) & taken_over
    step = reached(fetches, read_by) if fixed else set()
    copied = _after([op for op in step if op.name in fixed], step)
    if not copied:
        return plan, {}
    prefix = _free({op.name.partition("/")[0] for op in graph.get_operations()})("lms_copy")
    copies = {op.name: "{}/{}".format(prefix, op.name) for op in copied}
    in_step = {op.name for op in step}
    made = dict(plan)
    # New ops belong to the step; of those that were there, only what the step runs waits for copies.
    made["added"] = [_with_inputs(added, copies) for added in plan["added"]] + [
        _copy(op, copies, plan) for op in sorted(copied, key=lambda op: op._id)]
    for key in ("rerouted", "control", "removed_control"):
        made[key] = [_mapped(change, copies if change["op"] in in_step else {}) for change in plan.get(key, [])
                     if change["op"] not in copies]
    for key in ("devices", "attributes"):
        made[key] = {name: value for name, value in plan.get(key, {}).items() if name not in copies}
    return _made(plan, made), copies


def _made(plan, members):
    made = _live.Plan(members)
    made.said, made.warnings, made.fetches = plan.said, plan.warnings, plan.fetches
    return made


def _free(taken):
    """A function: the name itself, or with the first number under which `taken` does not have it."""
    def free(name):
        number, found = 0, name
        while found in taken:
            number += 1
            found = "{}_{}".format(name, number)
        taken.add(found)
        return found
    return free


def changed(plan):
    """The names of the ops that were there and are changed."""
    names = {change["op"] for key in ("rerouted", "control", "removed_control") for change in plan.get(key, [])}
    return names.union(plan.get("devices", {}), plan.get("attributes", {})) - {added["name"] for added in plan["added"]}


def _after(ops, within):
    """The ops and all that depends on them."""
    def readers(op):
        found = [reader for tensor in op.outputs for reader in tensor.consumers()] + list(op._control_outputs)
        return [reader for reader in found if reader in within]
    return reached(ops, readers)


def _copy(op, copies, plan):
    """The entry of `added` for the copy, with what the plan changes at the original."""
    inputs = [_tensor(tensor.name, copies) for tensor in op.inputs]
    for change in plan["rerouted"]:
        if change["op"] == op.name:
            inputs[change["slot"]] = _tensor(change["to"], copies)
    control = [other.name for other in op.control_inputs]
    for change in plan.get("removed_control", []):
        if change["op"] == op.name:
            control = [name for name in control if name not in change["after"]]
    for change in plan["control"]:
        if change["op"] == op.name:
            control += [name for name in change["after"] if name not in control]
    return {"name": copies[op.name], "op": op.type, "device": plan.get("devices", {}).get(op.name, op.device),
            "copy_of": op.name, "inputs": inputs, "control_inputs": [copies.get(name, name) for name in control],
            "attrs": plan.get("attributes", {}).get(op.name, {})}


def _tensor(name, names):
    op, colon, slot = name.partition(":")
    return names.get(op, op) + colon + slot


def _with_inputs(added, names):
    return dict(added, inputs=[_tensor(name, names) for name in added["inputs"]],
                control_inputs=[names.get(name, name) for name in added["control_inputs"]])


def _mapped(change, names):
    change = dict(change)
    if "after" in change:
        change["after"] = [names.get(name, name) for name in change["after"]]
    if "to" in change:
        change["to"] = _tensor(change["to"], names)
    return change
