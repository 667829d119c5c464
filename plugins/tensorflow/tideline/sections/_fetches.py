"""Where the values of a cycle are found that the user asks for.

Most ops of the graph that one may ask for are run by the cycle anyway: the forward run computes activations and loss, and the
backward runs have copies of what computes gradients and updates. Anything else reads these: it is computed in the forward
run if what the forward run has is enough, and else behind the cycle, from values that the cycle's runs yield.
    tf.norm(gradient): behind the cycle, from the gradient that some backward run computes
    accuracy: in the forward run, from the logits
"""
import collections

from .._tensorflow import op_of, reached, read_by, tf
from ..errors import Error

# `element` is to be fetched in the forward run (`run` is FORWARD), in the phase with that number, or behind the cycle (BEHIND),
# where the tensors `needs` have to be fed.
Place = collections.namedtuple("Place", "run element needs")
FORWARD, BEHIND = -1, -2


class Places(object):
    """Finds places, and remembers them. Cost: once O(ops of the cycle), and O(ops that are asked for) for each fetch."""

    def __init__(self, cycle, plan, loss):
        self._phases = cycle.phases
        self._forward = reached(map(op_of, list(cycle.forward_cache) + [loss]), read_by)
        self._late = self._find_late(plan)
        self._known = {}

    def all_of(self, elements):
        """The places of ops and tensors, in their order. Errors: tideline.Error for what waits for the step itself."""
        for element in elements:
            if element not in self._known:
                self._known[element] = self._find(element)
        return [self._known[element] for element in elements]

    def phases(self, places):
        """The backward runs of a cycle that fetches what is at `places`."""
        return self._phases

    def _find_late(self, plan):
        """The ops that run in backward runs alone: what waits for a value that was kept, or for an update."""
        late = set()
        for entry, phase in zip(plan["phases"], self._phases):
            original = {copy: op for op, copy in phase.copies.items()}
            first = [tensor.op for tensor, _ in phase.feeds]
            targets = set(entry["targets"])
            first += [copy for copy, op in original.items() if op.name in targets]
            late.update(original[copy] for copy in _behind(first, original) if copy in original)
        return late - self._forward

    def _find(self, element):
        op, slot = _parts(element)
        if op in self._forward:
            return Place(FORWARD, element, ())
        for number, phase in enumerate(self._phases):
            if op in phase.copies:
                copy = phase.copies[op]
                return Place(number, copy if slot is None else copy.outputs[slot], ())
        needs, is_late = self._inputs_of(op)
        return Place(BEHIND, element, tuple(needs)) if is_late else Place(FORWARD, element, ())

    def _inputs_of(self, op):
        """The tensors of the cycle that `op` is computed from, and whether some of them are of backward runs."""
        needs, is_late, waits = [], False, None
        seen, todo = {op}, [op]
        while todo:
            here = todo.pop()
            for tensor in here.inputs:
                is_late = is_late or tensor.op in self._late
                if self._is_of_cycle(tensor.op) and _can_be_fed(tensor):
                    if not any(tensor is other for other in needs):
                        needs.append(tensor)
                elif tensor.op in self._late:
                    raise Error("'{}' reads '{}', whose value cannot be kept between runs: it cannot be fetched from a "
                                "cycle".format(here.name, tensor.name))
                elif tensor.op not in seen:
                    seen.add(tensor.op)
                    todo.append(tensor.op)
            for other in here.control_inputs:
                if other in self._late:
                    raise Error("'{}' waits for '{}', which is part of the step: it cannot be fetched from a cycle; fetch "
                                "what it reads instead".format(here.name, other.name))
                if other in self._forward:
                    waits = waits or (here, other)
                elif other not in seen:
                    seen.add(other)
                    todo.append(other)
        if is_late and waits:
            raise Error("'{}' reads gradients or updates, and what it is computed from waits for '{}' ('{}' does), which "
                        "would run a second time".format(op.name, waits[1].name, waits[0].name))
        return needs, is_late

    def _is_of_cycle(self, op):
        return op in self._forward or op in self._late


def _parts(element):
    return (element, None) if isinstance(element, tf.Operation) else (element.op, element.value_index)


def _can_be_fed(tensor):
    return tensor.dtype not in (tf.resource, tf.variant) and not tensor.dtype._is_ref_dtype


def _behind(first, within):
    """The ops of `within` that read or wait for one of `first`, over any number of others, and these."""
    readers = collections.defaultdict(list)
    for op in within:
        for other in read_by(op):
            readers[other].append(op)
    return reached(first, readers.__getitem__)
