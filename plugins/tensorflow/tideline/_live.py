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

from . import _export, _program
from ._edit import Edit
from ._tensorflow import editable
from .errors import Error, GraphChanged, UnsupportedGraph

_SCHEMA = "tideline.plan/1"


class Plan(dict):
    """The plan's JSON. `said` is what the executable printed, `warnings` what it warned of, each a tuple of lines."""
    said = ()
    warnings = ()


def export(graph=None):
    """The graph as a MetaGraphDef, as the executable gets it. Errors: tideline.UnsupportedGraph for eager code."""
    return _export.meta_graph(graph)


def exported(graph=None):
    """A context: the path of a file that has the graph, for as long as it lasts; other files may be put beside it."""
    return written(export(graph))


@contextlib.contextmanager
def written(meta_graph):
    """The same for a MetaGraphDef."""
    folder = tempfile.mkdtemp(prefix="tideline.")
    try:
        path = os.path.join(folder, "graph.meta")
        with open(path, "wb") as file:
            file.write(meta_graph.SerializeToString(deterministic=True))
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def plan(graph, mode, *arguments):
    """What `tideline rewrite MODE GRAPH ARGUMENTS` would do to the graph, which stays as it is. Errors: those of
    _program.run."""
    with exported(graph) as path:
        result = os.path.join(os.path.dirname(path), "plan.json")
        output = _program.run("rewrite", mode, path, *arguments, "--plan-json", result, hide=path)
        with open(result, encoding="utf-8") as file:
            made = Plan(json.load(file))
    made.said = tuple(line for line in output.splitlines() if not line.startswith("wrote "))
    made.warnings = output.warnings
    return made


def apply(graph, plan):
    """Edits the graph as the plan says: all of it, or on any error nothing. `plan` may be of any kind, and come from a file
    too, as long as it was made for what export gives. Errors: tideline.GraphChanged, tideline.UnsupportedGraph."""
    graph = editable(graph)
    if graph.finalized:
        raise UnsupportedGraph("the graph is finalized (a MonitoredSession does that): edit it before")
    if not str(plan.get("schema", "")).startswith(_SCHEMA):
        raise Error("not a plan that this version understands: schema {!r}; expected {!r}".format(
            plan.get("schema"), _SCHEMA))
    links = plan["plans"] if plan["kind"] == "chain" else [plan]
    definition = export(graph).graph_def
    _check_digest(definition, links[0])
    edit = Edit(graph, {node.name: node for node in definition.node})
    try:
        for link in links:
            edit.apply(link)
    except BaseException:
        edit.undo()
        raise


def _check_digest(definition, plan):
    found = hashlib.sha256(definition.SerializeToString(deterministic=True)).hexdigest()
    expected = plan["graph"]
    if found == expected["digest"]:
        return
    if len(definition.node) != expected["ops"]:
        raise GraphChanged("the plan was made for a graph of {} ops, and this one has {}: make the plan anew".format(
            expected["ops"], len(definition.node)))
    raise GraphChanged("the plan was made for another graph, or this one was changed since: make the plan anew")
