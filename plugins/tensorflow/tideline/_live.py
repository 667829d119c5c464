"""Live graphs and the executable: a graph goes out as a MetaGraphDef, a plan comes back, and is applied in place.

    plan = _live.plan(graph, "lms2", "--swapout-threshold", 50, "--swapin-ahead", 3, "--swapin-groupby", 2)
    _live.apply(graph, plan)
"""
import contextlib
import hashlib
import json
import os
import shutil
import tempfile

from . import _export, _gpu_copies, _lines, _program
from ._edit import Edit
from ._tensorflow import editable
from ._to_the_end import to_the_end
from .errors import Error, GraphChanged, UnsupportedGraph

_SCHEMA = "tideline.plan/1"


class Plan(dict):
    """The plan's JSON. `said` is what the executable printed, `warnings` what it warned of, each a tuple of lines; `fetches`
    are the names of the ops for whose step it was made, none if for the whole graph."""
    said = ()
    warnings = ()
    fetches = ()


def export(graph=None):
    """The graph as a MetaGraphDef, as the executable gets it. Errors: tideline.UnsupportedGraph for eager code."""
    return _export.meta_graph(graph)


def exported(graph=None):
    """A context: the path of a file that has the graph, for as long as it lasts; other files may be put beside it."""
    return written(export(graph))


def write(path, meta_graph, frames=()):
    """Writes the file that the executable gets. `frames`: of its ops (_lines.frames), which lie beside it."""
    with open(path, "wb") as file:
        file.write(meta_graph.SerializeToString(deterministic=True))
    _lines.write_beside(path, frames)


@contextlib.contextmanager
def written(meta_graph, name="graph.meta", frames=()):
    """The same for a MetaGraphDef; `name` is that of the file."""
    folder = tempfile.mkdtemp(prefix="tideline.")
    try:
        path = os.path.join(folder, name)
        write(path, meta_graph, frames)
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def plan(graph, mode, *arguments, fetches=()):
    """What `tideline rewrite MODE GRAPH ARGUMENTS` would do to the graph, which stays as it is. `fetches`: names of ops, the
    plan is for what they depend on alone. Errors: those of _program.run; tideline.Refused for ops that only GPUs have."""
    definition, names = _export.step(export(graph), fetches)
    with written(definition) as path:
        result = os.path.join(os.path.dirname(path), "plan.json")
        output = _program.run("rewrite", mode, path, *arguments, "--plan-json", result, hide=path)
        with _program.answers(), open(result, encoding="utf-8") as file:
            made = Plan(with_names(json.load(file), names))
    _gpu_copies.check_plan(made)
    made.said = tuple(line for line in output.splitlines() if not line.startswith("wrote "))
    made.warnings = output.warnings
    made.fetches = tuple(fetches)
    return made


def with_names(plan, names):
    """The members of a plan with other names of ops: `names` has the new ones by the old ones."""
    if not names:
        return plan
    if plan["kind"] == "chain":
        return dict(plan, plans=[with_names(link, names) for link in plan["plans"]])
    name_of = lambda name: names.get(name, name)
    tensor_of = lambda tensor: ":".join([name_of(tensor.partition(":")[0])] + tensor.split(":")[1:])
    turned = {"name": name_of, "op": name_of, "copy_of": name_of, "from": tensor_of, "to": tensor_of,
              "inputs": lambda tensors: [tensor_of(tensor) for tensor in tensors],
              "control_inputs": lambda ops: [name_of(op) for op in ops], "after": lambda ops: [name_of(op) for op in ops]}

    def entry(given, keys):
        return {key: turned[key](value) if key in keys else value for key, value in given.items()}

    new = dict(plan)
    new["added"] = [entry(given, ("name", "copy_of", "inputs", "control_inputs")) for given in plan["added"]]
    for key in {"rerouted", "control", "removed_control"}.intersection(plan):
        new[key] = [entry(given, ("op", "from", "to", "after")) for given in plan[key]]
    for key in {"removed", "emptied"}.intersection(plan):
        new[key] = [name_of(name) for name in plan[key]]
    for key in {"devices", "attributes"}.intersection(plan):
        new[key] = {name_of(name): value for name, value in plan[key].items()}
    return new


def apply(graph, plan, then=None):
    """Edits the graph as the plan says: all of it, or on any error nothing; and calls `then`, which must not fail. An interrupt
    (Ctrl+C, a signal's handler that raises) finds the graph as it was, or edited. `plan` may be of any kind, and come from a
    file too, as long as it was made for what export gives. Errors: tideline.GraphChanged, tideline.UnsupportedGraph."""
    graph = editable(graph)
    if graph.finalized:
        raise UnsupportedGraph("the graph is finalized (a MonitoredSession does that): edit it before")
    if not str(plan.get("schema", "")).startswith(_SCHEMA):
        raise Error("not a plan that this version understands: schema {!r}; expected {!r}".format(
            plan.get("schema"), _SCHEMA))
    links = plan["plans"] if plan["kind"] == "chain" else [plan]
    _gpu_copies.check_plan(plan)
    definition = _export.step(export(graph), getattr(plan, "fetches", ()))[0].graph_def
    _check_digest(definition, links[0])
    edit = Edit(graph, {node.name: node for node in definition.node})
    to_the_end(lambda: _apply(edit, links, then))


def _apply(edit, links, then):
    try:
        for link in links:
            edit.apply(link)
    except BaseException:
        edit.undo()
        raise
    if then is not None:
        then()


def _check_digest(definition, plan):
    found = hashlib.sha256(definition.SerializeToString(deterministic=True)).hexdigest()
    expected = plan["graph"]
    if found == expected["digest"]:
        return
    if len(definition.node) != expected["ops"]:
        raise GraphChanged("the plan was made for a graph of {} ops, and this one has {}: make the plan anew".format(
            expected["ops"], len(definition.node)))
    raise GraphChanged("the plan was made for another graph, or this one was changed since: make the plan anew")
