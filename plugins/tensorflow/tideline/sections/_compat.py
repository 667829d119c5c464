"""What the original feeds, keeps and fetches, as the executable computes it."""
from .. import _live
from .._tensorflow import op_of
from ..errors import Error
from ._fetches import FORWARD, Place


def plan(graph, sections, fetches=()):
    """The plan of `tideline rewrite sections --compat`. `fetches`: names of ops; for each, `fetches` of the plan says in
    which run the original fetches it, and what it feeds and keeps for that."""
    if any(section.get_training_op() is None for section in sections):
        raise Error("there is nothing to prepare: call add_training_ops(optimizer, loss) first")
    words = ["--compat", "--scopes", ",".join(section.get_scope() for section in sections), "--train-ops",
             ",".join(op_of(section.get_training_op()).name for section in sections)]
    return _live.plan(graph, "sections", *words + (["--fetches", ",".join(fetches)] if fetches else []))


class Places(object):
    """Where the original fetches. What an op of no section needs depends on what was asked for before it, because the
    original makes such ops members of sections on the way; so the executable is told of all."""

    def __init__(self, graph, sections, cycle):
        self._graph, self._sections, self._cycle = graph, sections, cycle
        self._asked, self._found = [], {}
        self._number = {phase.section: number for number, phase in enumerate(cycle.phases)}

    def all_of(self, elements):
        """The places of ops and tensors, in their order."""
        names = [op_of(element).name for element in elements]
        new = [name for at, name in enumerate(names) if name not in self._found and name not in names[:at]]
        if new:
            self._asked += new
            made = plan(self._graph, self._sections, self._asked)
            self._found = {entry["op"]: entry for entry in made["fetches"]}
        return [Place(self._run(name), element, ()) for name, element in zip(names, elements)]

    def phases(self, places):
        """The backward runs of a cycle that fetches what is at `places`: with what it feeds and keeps for that."""
        phases = list(self._cycle.phases)
        for place in places:
            entry = self._found[op_of(place.element).name]
            if place.run != FORWARD:
                self._add(phases, place.run, "feeds", entry["tensors_to_feed"])
            for cached in entry["tensors_to_cache"]:
                self._add(phases, self._number[cached["section"]], "keeps", [cached["tensor"]])
        return phases

    def _run(self, name):
        section = self._found[name]["section"]
        return FORWARD if section is None else self._number[section]

    def _add(self, phases, number, what, names):
        known = [tensor for tensor, _ in getattr(phases[number], what)]
        new = [(tensor, tensor) for tensor in map(self._graph.get_tensor_by_name, names)
               if not any(tensor is other for other in known)]
        phases[number] = phases[number]._replace(**{what: getattr(phases[number], what) + new})
