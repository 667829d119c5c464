"""The cycle of runs that takes the place of a training step, and what is kept between them.

A plan of kind `sections` says what runs; here it is run. Tensors that cross a border are fetched, kept as NumPy arrays
under the tensor of the original graph, and fed to the runs that need them.
"""
import collections

from .._tensorflow import tf

# One backward run. `feeds`: [(tensor to feed, tensor whose kept value it gets)]; `keeps`: [(tensor to fetch, tensor under which
# its value is kept)]; `copies`: {op of the original: its copy in this run}.
Phase = collections.namedtuple("Phase", "section train_op feeds keeps copies")


class Cycle(object):
    """`forward_cache`: the tensors that the forward run keeps; `phases`: the backward runs in their order. `feeds_users`:
    whether what the user feeds is fed in every run; else it is kept like all else."""

    def __init__(self, graph, forward_cache, phases, feeds_users):
        self._graph = graph
        self.forward_cache, self.phases = forward_cache, phases
        self._feeds_users = feeds_users
        self._kept, self._given = {}, {}

    def forward(self, session, fetches, feed):
        """The forward run: the values of `fetches`. Begins a new cycle."""
        values, found = session.run([self.forward_cache, fetches], feed)
        self._given = {} if not feed else dict(feed)
        self._kept = {} if self._feeds_users else {self._tensor(key): value for key, value in self._given.items()}
        self._kept.update(zip(self.forward_cache, values))
        return found

    def backward(self, session, phase, fetches):
        """One backward run, after those before it: the values of `fetches`."""
        feed = self._feed_of_user(phase) if self._feeds_users else {}
        for tensor, kept in phase.feeds:
            feed[tensor] = self._kept[kept]
        _, values, found = session.run([phase.train_op, [tensor for tensor, _ in phase.keeps], fetches], feed)
        self._kept.update(zip([kept for _, kept in phase.keeps], values))
        return found

    def forget(self):
        """Frees what was kept."""
        self._kept, self._given = {}, {}

    @property
    def given(self):
        """What the user fed in this cycle."""
        return self._given

    def _tensor(self, key):
        """The tensor that a key of a feed means; other keys (of sparse tensors) stay what they are."""
        return self._graph.as_graph_element(key) if isinstance(key, (str, bytes)) else key

    def _feed_of_user(self, phase):
        """A user may feed tensors that are no placeholders. Their copies get the same values."""
        feed = dict(self._given)
        for key, value in self._given.items():
            tensor = self._tensor(key)
            if isinstance(tensor, tf.Tensor) and tensor.op in phase.copies:
                feed[phase.copies[tensor.op].outputs[tensor.value_index]] = value
        return feed


def from_plan(graph, plan):
    """The cycle of a plan that was applied to the graph. With the sets of the original in it (--compat), its own cycle."""
    tensor = graph.get_tensor_by_name
    forward_cache = [tensor(name) for name in plan["forward_cache"]]
    if "sections" in plan:
        phases = [Phase(entry["index"], graph.get_operation_by_name(entry["train_op"]),
                        [(tensor(name), tensor(name)) for name in entry["tensors_to_feed"]],
                        [(tensor(name), tensor(name)) for name in entry["tensors_to_cache"]], {})
                  for entry in reversed(plan["sections"])]
        return Cycle(graph, forward_cache, phases, feeds_users=False)
    copies = _copies(graph, plan)
    phases = [Phase(entry["section"], graph.get_operation_by_name(entry["train_op"]),
                    [(tensor(placeholder + ":0"), tensor(kept)) for placeholder, kept in sorted(entry["feeds"].items())],
                    [(tensor(fetched), tensor(kept)) for fetched, kept in sorted(entry["cache"].items())],
                    made)
              for entry, made in zip(plan["phases"], copies)]
    return Cycle(graph, forward_cache, phases, feeds_users=True)


def _copies(graph, plan):
    """For each phase, {op of the original: its copy}. The plan adds the ops of a phase one behind the other, and the
    phase's training op last."""
    last_of = {entry["train_op"]: at for at, entry in enumerate(plan["phases"])}
    found, made = [{} for _ in plan["phases"]], {}
    for added in plan["added"]:
        if "copy_of" in added:
            made[graph.get_operation_by_name(added["copy_of"])] = graph.get_operation_by_name(added["name"])
        elif added["name"] in last_of:
            found[last_of[added["name"]]] = made
            made = {}
    return found
