"""What both versions have in common: plan, say what the plan says, edit."""
from .. import _live
from .._tensorflow import editable, tf
from . import _keras_session


def edit(graph, mode, words, check=None):
    """Edits the graph by `rewrite MODE WORDS` and returns the set of the ops that were added. `check` is called
    before anything is said or changed."""
    graph = editable(graph)
    plan = _live.plan(graph, mode, *words)
    if check is not None:
        check()
    for line in plan.said:
        tf.logging.info(line if line.startswith("[LMS]") else "[LMS] " + line)
    for line in plan.warnings:
        tf.logging.warn("[LMS] " + line)
    if not plan["added"] and not plan["control"]:
        return set()
    _live.apply(graph, plan)
    return {graph.get_operation_by_name(added["name"]) for added in plan["added"]}


def debug(is_on, level):
    return ["--debug={}".format(min(max(int(level), 1), 2))] if is_on else []


def edit_model(model, run):
    """Calls `run`, which edits the graph of a model of Keras."""
    editable()  # refuses eager code before anything is asked of the model
    had_run = _keras_session.has_run(model)
    if run() and had_run:
        _keras_session.renew(model)
