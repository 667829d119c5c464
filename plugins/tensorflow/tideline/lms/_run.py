"""What both versions have in common: plan, say what the plan says, edit."""
from .. import _live
from .._tensorflow import editable, tf
from ._copies import changed, on_copies, renamed
from ._ran import taken_over


def edit(graph, mode, words, check=None, step=None):
    """Edits the graph by `rewrite MODE WORDS` and returns the set of the ops that were added. `check` is called before anything
    is said or changed. `step` (_keras.Step): what is run; without it, whatever the program runs in sessions of its own."""
    graph = editable(graph)
    # Swaps of another step are no reason to leave this one as it is.
    names = [op.name for op in step.fetches()] if step is not None and step.is_another else ()
    plan = _live.plan(graph, mode, *words, fetches=names)
    if check is not None:
        check()
    for line in plan.said:
        tf.logging.info(line if line.startswith("[LMS]") else "[LMS] " + line)
    for line in plan.warnings:
        tf.logging.warn("[LMS] " + line)
    if not plan["added"] and not plan["control"]:
        return set()
    if step is None:
        _warn(plan, taken_over(tf.get_default_session(), graph))
        _live.apply(graph, plan)
    else:
        plan, copies = on_copies(renamed(plan, graph), graph, taken_over(step.session, graph), step.fetches())
        _warn_of_random_ops(graph, copies)
        _live.apply(graph, plan, lambda: step.take(copies))
    return {graph.get_operation_by_name(added["name"]) for added in plan["added"]}


def debug(is_on, level):
    return ["--debug={}".format(min(max(int(level), 1), 2))] if is_on else []


def warn_unless_edited(training):
    """After a batch: what has trained is what was edited, or it is said that nothing was."""
    if training is not None and training.is_missed():
        tf.logging.warn("[LMS] The model trains without swaps: Keras trains it by something else than the train function of a model "
                        "that was compiled in graph mode.")


def _warn_of_random_ops(graph, copies):
    count = sum("seed" in graph.get_operation_by_name(name).node_def.attr for name in copies)
    if count:
        tf.logging.warn("[LMS] The session has run the model before, and trains copies of {} ops from now on: {} random ops among "
                        "them begin their numbers anew.".format(len(copies), count))


def _warn(plan, names):
    """Says what has no effect in the default session: TensorFlow says it op by op, and only where standard error is seen."""
    lost = changed(plan) & names
    if lost:
        tf.logging.warn("[LMS] {} of the {} ops that are edited have no effect in the default session, which has run before and "
                        "goes on with them as they were ({}, ...): edit the graph before its first run.".format(
                            len(lost), len(changed(plan)), min(lost)))
