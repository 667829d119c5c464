"""Interrupts edits of a live graph, in a Python with TensorFlow 2.15 or 1.13:
interrupted_edits_worker.py PROGRAM REPOSITORY FOLDER [TRIES]

Each edit finds the graph unchanged afterwards, or edited as without the interrupt; nothing between."""
import signal
import sys
import time

import tensorflow.compat.v1 as tf

from front_graphs import state
from tideline import _live

TRIES = int(sys.argv[4]) if len(sys.argv) > 4 else 60
LMS2 = ["lms2", "--swapout-threshold", 3, "--swapin-ahead", 2, "--swapin-groupby", 1, "--sync-mode", 3]


class Interrupt(BaseException):
    """What a handler of a signal may raise; nobody's own."""


def chain():
    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [4, 32], "x")
        variables = [tf.get_variable("w{}".format(i), [32, 32], use_resource=False) for i in range(5)]
        y = x
        for variable in variables:
            y = tf.tanh(tf.matmul(y, variable))
        tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))
    return graph.as_graph_def()


CHAIN = chain()


def fresh():
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(CHAIN, name="")
    return graph


def after(interrupted):
    """(what became of a graph whose edit was interrupted, whether it was)."""
    graph = fresh()
    try:
        interrupted(lambda: _live.apply(graph, PLAN))
    except Interrupt:
        was = True
    else:
        was = False
    found = state(graph)
    if found == BEFORE:
        _live.apply(graph, PLAN)  # which is as if nothing had been
        assert state(graph) == EDITED
        return "unchanged", was
    return ("edited" if found == EDITED else "changed: " + str([n for n in found if found[n] != EDITED.get(n)][:5])), was


def by_signal(delay):
    """The handler raises, after `delay` seconds, wherever the main thread is then."""
    def interrupted(edit):
        def handler(*_):
            raise Interrupt()

        before = signal.signal(signal.SIGALRM, handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            edit()
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return interrupted


class Steps:
    """Counts the steps of Python that the package takes, and raises at one."""

    def __init__(self, at=None):
        self.count, self._at = 0, at

    def __call__(self, edit):
        sys.settrace(self._call)
        try:
            edit()
        finally:
            sys.settrace(None)

    def _call(self, frame, event, argument):
        if "tideline" not in frame.f_code.co_filename.rpartition("/")[0]:
            return None
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, frame, event, argument):
        if event == "opcode":
            self.count += 1
            if self.count == self._at:
                raise Interrupt()
        return self._step


def tried(name, ways):
    found = [after(way) for way in ways]
    counts = {what: sum(1 for result, _ in found if result == what) for what in sorted({result for result, _ in found})}
    print("{}: {} edits, {} interrupted: {}".format(name, len(found), sum(was for _, was in found), counts))
    assert set(counts) <= {"unchanged", "edited"}, counts
    return counts


def edits_are_whole_or_not_at_all():
    graph = fresh()
    start = time.time()
    _live.apply(graph, PLAN)
    length = time.time() - start
    tried("by signals", [by_signal(max(1e-4, 1.1 * length * at / TRIES)) for at in range(TRIES)])
    steps = Steps()
    after(steps)
    assert steps.count > 200, steps.count
    half = TRIES // 2  # the last steps, in which the edit is done and waited for, and others all over
    points = [steps.count - at for at in range(min(half, steps.count))] + [1 + at * steps.count // half for at in range(half)]
    counts = tried("at single steps", [Steps(at) for at in points])
    assert len(counts) == 2, counts


def the_caller_gets_results_and_errors():
    def fails():
        raise KeyError("no")

    from tideline import _to_the_end
    assert _to_the_end.to_the_end(lambda: 5) == 5
    try:
        _to_the_end.to_the_end(fails)
    except KeyError as problem:
        assert problem.args == ("no",)
    else:
        raise AssertionError("no error")


PLAN = _live.plan(fresh(), *LMS2)
assert len(PLAN["added"]) > 4 and PLAN["rerouted"] and PLAN["control"], PLAN
BEFORE = state(fresh())
_edited = fresh()
_live.apply(_edited, PLAN)
EDITED = state(_edited)
assert EDITED != BEFORE
for test in (edits_are_whole_or_not_at_all, the_caller_gets_results_and_errors):
    test()
    print(test.__name__, flush=True)
