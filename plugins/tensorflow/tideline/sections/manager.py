"""Builds networks in sections, and trains them section by section."""
import contextlib

from tensorflow.python.client.session import _FetchMapper

from .. import _live
from .._tensorflow import editable, op_of, tf
from ..errors import Error
from . import _compat, _cycle, _fetches, _training
from .sections import GraphSection
from .utils import VerboseTimer


class GraphSectionManager(object):
    """`graph`: where the network is built, by default the default graph. `compat`: feed and keep what the original does,
    instead of what is right. Errors: tideline.UnsupportedGraph for eager code."""

    def __init__(self, graph=None, compat=False):
        self._graph = editable(graph)
        self._compat = compat
        self._sections, self._cut = [], []
        self._loss, self._train_op = None, None
        self._cycle, self._places, self._plan = None, None, None

    def new_section(self):
        """A context: what is added to the graph inside is the next section."""
        return GraphSection(self, self._graph)

    def add_section(self, section):
        """Called by a section that begins; returns its index."""
        self._sections.append(section)
        return len(self._sections) - 1

    def get_sections(self):
        """All sections, in their order."""
        return self._sections

    @property
    def plan(self):
        """The plan of kind `sections` (assets/docs/sections.md) after prepare_training; None for a single section."""
        return self._plan

    @property
    def train_op(self):
        """The op that makes a whole step in one run, without sections; None with compat=True."""
        return self._train_op

    def add_training_ops(self, optimizer, loss=None, var_list=None, grads=None, global_step=None, verbose=False,
                         summaries=None):
        """Adds the gradients, unless they are given in `grads` as optimizer.compute_gradients returns them, and what applies
        them; with them, the UPDATE_OPS of the sections run, and `global_step` counts cycles. `verbose`: each section prints
        when its first gradient is there. `summaries`: collections to which a histogram of every gradient is added. Without
        compat, `loss` is needed beside `grads` too: the forward run computes it."""
        with self._graph.as_default():
            pairs = _training.gradients(optimizer, loss, var_list, grads)
            build = _training.one_op_each if self._compat else _training.one_op
            self._train_op = build(self._sections, optimizer, pairs, global_step, verbose, summaries)
        self._loss = loss

    def prepare_training(self, batch_size=None):
        """Plans the cycle, and adds its ops to the graph; called once, after add_training_ops. `batch_size`: the plan then
        predicts the peak of every run. Errors: those of the executable (tideline.Refused and others); the graph is then as
        it was."""
        assert self._sections, "There has to be at least one GraphSection in this graph."
        if self._cycle is not None and not self._compat:
            raise Error("the training of this graph was prepared before")
        if self._compat:
            self._plan = _compat.plan(self._graph, self._sections)
        else:
            self._plan = self._plan_cycle(batch_size)
        if self._plan is None:
            self._sections[0].set_training_op(self._train_op)
            return
        _live.apply(self._graph, self._plan)
        self._cycle = _cycle.from_plan(self._graph, self._plan)
        self._places = (_compat.Places(self._graph, self._sections, self._cycle) if self._compat
                        else _fetches.Places(self._cycle, self._plan, self._loss))
        for phase in self._cycle.phases:
            section = self._in_cycle(phase)
            section.set_training_op(phase.train_op)
            section.set_tensors([kept for _, kept in phase.feeds], [kept for _, kept in phase.keeps])

    def _plan_cycle(self, batch_size):
        if self._train_op is None or self._loss is None:
            raise Error("there is nothing to prepare: call add_training_ops(optimizer, loss) first; where gradients are given, "
                        "the loss is needed too")
        self._cut = [section for section in self._sections if _is_cut(section)]
        if len(self._cut) < 2:
            return None
        op = op_of(self._train_op)
        words = ["--scopes", ",".join(section.get_scope() for section in self._cut), "--train-op", op.name, "--loss",
                 self._loss.name]
        return _live.plan(self._graph, "sections", *words + ([] if batch_size is None else ["--batch-size", batch_size]))

    def _in_cycle(self, phase):
        return (self._sections if self._compat else self._cut)[phase.section]

    def run_forward(self, sess, fetches=None, basic_feed=None):
        """The forward run alone: the values of `fetches`. What the backward runs need is kept."""
        return self._need_cycle().forward(sess, [] if fetches is None else fetches, basic_feed)

    def run_backward(self, sess, fetches=None, verbose_timing=False):
        """The backward runs, after run_forward. `fetches`: for each section a list of what its run computes, given as tensors
        and ops of the graph that the user built; the values come in the same structure."""
        cycle = self._need_cycle()
        found = [[] for _ in self._sections]
        for phase in cycle.phases:
            at = self._in_cycle(phase).get_index()
            wanted = fetches[at] if fetches is not None and at < len(fetches) else []
            with _timed("backward on section {}".format(at), verbose_timing):
                found[at] = cycle.backward(sess, phase, _in_phase(self._graph, phase, wanted))
        return found

    def run_full_cycle(self, sess, fetches=None, basic_feed=None, verbose_timing=False):
        """A training step: the forward run and all backward runs. `fetches` and the result are what they are for
        session.run; values are those of before the step. `basic_feed`: what session.run would be fed. Errors: those of
        TensorFlow, and tideline.Error for what cannot be fetched from a cycle. `verbose_timing` prints the seconds."""
        fetches = [] if fetches is None else fetches
        if self._plan is None:
            if self._sections and self._sections[0].get_training_op() is not None:
                return sess.run([self._sections[0].get_training_op(), fetches], basic_feed)[1]
            self._need_cycle()
        with _timed("split fetches", verbose_timing):
            with self._graph.as_default():
                mapper = _FetchMapper.for_fetch(fetches)
            wanted = mapper.unique_fetches()
            places = self._places.all_of(wanted)
        try:
            values = self._run(sess, places, basic_feed, verbose_timing)
        finally:
            self._cycle.forget()
        return mapper.build_results([None if isinstance(element, tf.Operation) else value
                                     for element, value in zip(wanted, values)])

    def _run(self, sess, places, basic_feed, verbose_timing):
        """The values of what is at `places`."""
        cycle, values = self._cycle, {}
        behind = [place for place in places if place.run == _fetches.BEHIND]
        needs = [tensor for place in behind for tensor in place.needs]
        needed = self._places.all_of(needs)
        with _timed("forward", verbose_timing):
            here = _of_run(places + needed, _fetches.FORWARD)
            values.update(zip(here, cycle.forward(sess, here, basic_feed)))
        with _timed("backward", verbose_timing):
            for number, phase in enumerate(self._places.phases(places)):
                with _timed("backward on section {}".format(self._in_cycle(phase).get_index()), verbose_timing):
                    here = _of_run(places + needed, number)
                    values.update(zip(here, cycle.backward(sess, phase, here)))
        with _timed("post cycle", verbose_timing):
            if behind:
                feed = dict(cycle.given)
                feed.update((tensor, values[place.element]) for tensor, place in zip(needs, needed))
                here = _of_run(places, _fetches.BEHIND)
                values.update(zip(here, sess.run(here, feed)))
        return [values[place.element] for place in places]

    def _need_cycle(self):
        if self._cycle is None:
            raise Error("there is no cycle to run: call prepare_training first"
                        + ("" if self._plan is None and self._train_op is None else "; a single section has none"))
        return self._cycle


def _is_cut(section):
    """Whether there is anything in the section that could be run for itself."""
    return any(op.name.startswith(section.get_scope() + "/") for op in section.get_ops())


def _of_run(places, run):
    """What is fetched in a run, each once."""
    found = []
    for place in places:
        if place.run == run and not any(place.element is other for other in found):
            found.append(place.element)
    return found


def _in_phase(graph, phase, wanted):
    """The copies of what is wanted, where there are some."""
    found = []
    for element in wanted:
        element = graph.as_graph_element(element)
        op = op_of(element)
        if op in phase.copies:
            element = phase.copies[op] if op is element else phase.copies[op].outputs[element.value_index]
        found.append(element)
    return found


def _timed(what, is_wanted):
    return VerboseTimer(what) if is_wanted else contextlib.nullcontext()
