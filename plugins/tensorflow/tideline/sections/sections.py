"""One section: what was added to the graph inside of its `with` block."""
import re

from .._tensorflow import editable

# The name scope of a section, and what finds its number in the names of ops, those of gradients too. Programs import them.
section_scope_name = "graph_section_%d"
section_from_name = re.compile(r"(.*/)*graph_section_([0-9]+)/.*")


class GraphSection(object):
    """Made by GraphSectionManager.new_section(), and used once, as a context. Ops that are built inside get the name scope
    graph_section_<index>. The sets are there after GraphSectionManager.prepare_training()."""

    def __init__(self, manager, graph=None):
        self._manager, self._graph = manager, editable(graph)
        self._index, self._scope, self._name_scope = -1, None, None
        self._ops, self._collections = [], {}
        self._training_op = None
        self._to_feed, self._to_cache = set(), set()

    def __enter__(self):
        self._first_op = len(self._graph.get_operations())
        self._before = {key: list(self._graph.get_collection_ref(key)) for key in self._graph.get_all_collection_keys()}
        self._index = self._manager.add_section(self)
        self._name_scope = self._graph.name_scope(section_scope_name % self._index)
        self._scope = self._name_scope.__enter__().rstrip("/")
        return self

    def __exit__(self, *problem):
        self._name_scope.__exit__(*problem)
        self._ops = self._graph.get_operations()[self._first_op:]
        for key in self._graph.get_all_collection_keys():
            known = {id(item) for item in self._before.get(key, ())}
            self._collections[key] = [item for item in self._graph.get_collection_ref(key) if id(item) not in known]
        self._before = None

    def get_index(self):
        """Sections are numbered in the order in which they were begun."""
        return self._index

    def get_scope(self):
        """The name scope of the section's ops, without a slash at its end."""
        return self._scope

    def get_ops(self):
        """The ops that were added in the block, those of variables too, in the order in which they were made."""
        return list(self._ops)

    def contains(self, op):
        """Whether `op` was added in the block. Gradients were not."""
        return any(op is other for other in self._ops)

    def get_collection(self, name):
        """What was added to a collection of the graph in the block, as a list."""
        return list(self._collections.get(name, ()))

    def get_incoming(self):
        """The tensors of elsewhere that ops of the section read."""
        own = set(self._ops)
        return {tensor for op in self._ops for tensor in op.inputs if tensor.op not in own}

    def get_training_op(self):
        """The op that the section's run runs."""
        return self._training_op

    def get_tensors_to_feed(self):
        """The tensors that the section's run is given. With compat=True that includes placeholders; without it they are
        fed in every run, and these are the tensors whose values were kept by earlier runs."""
        return set(self._to_feed)

    def get_tensors_to_cache(self):
        """The tensors whose values the section's run keeps for later runs."""
        return set(self._to_cache)

    def set_training_op(self, op):
        self._training_op = op

    def set_tensors(self, to_feed, to_cache):
        self._to_feed, self._to_cache = set(to_feed), set(to_cache)
