"""The models of tf2_models.py, each plain and through rewritten steps, by three policies and automatic mode:

    tf2_matrix_worker.py grappler|plain [NAME...] [inline]

One line for each: same or different bits of losses, metrics and all variables over five steps, how many swaps there are, and
how many tensors stay because nothing wakes them. With Grappler it is counted how many of the added ops, and of the control edges, are in the
graphs that it returns. Exits with 1 if any is different, or is lost."""
import sys

import tensorflow as tf
from tensorflow.python.eager import context

import tideline
import tideline.lms
from tf2_common import one_thread, state
from tf2_models import MODELS

POLICIES = {
    "near": dict(swapout_threshold=3, swapin_ahead=2, swapin_groupby=1),
    "middle": dict(swapout_threshold=10, swapin_ahead=1, swapin_groupby=0),
    "far": dict(swapout_threshold=20, swapin_ahead=5, swapin_groupby=3),
    "automatic": None,
}


def options_of(policy, batch, peak):
    """Automatic mode is to lower the peak that was predicted before by 3 %."""
    chosen = POLICIES[policy]
    return dict(chosen, batch_size=batch) if chosen else dict(device_memory=peak, memory_ratio=0.97, batch_size=batch)


def plans_of(traces):
    """With inlined calls each is a chain, whose last link has the swaps."""
    return [trace.plan["plans"][-1] if trace.plan["kind"] == "chain" else trace.plan for trace in traces]


def optimized_nodes(one):
    """The NodeDefs of the graphs that Grappler returns for another fit."""
    one.model.train_function = None  # a graph is optimized once
    context.enable_run_metadata()
    one.fit()
    graphs = [graphs.post_optimization_graph for graphs in context.export_run_metadata().function_graphs]
    context.disable_run_metadata()
    return [node for graph in graphs for nodes in [graph.node, *[function.node_def for function in graph.library.function]] for node in nodes]


class AfterGrappler:
    """How much of what plans added is in the graphs that Grappler returns. Where it takes an op out because it does nothing (a Sum over
    no axis), what waited for it waits for what it read, and where there is another that computes the same, for that one: such an
    edge counts as moved."""

    def __init__(self, one):
        self.ops = self.lost_ops = self.edges = self.moved = self.lost_edges = 0
        nodes = optimized_nodes(one)
        self._names = {node.name for node in nodes}
        self._added = {}
        for node in nodes:
            if "lms/" in node.name:
                self._added.setdefault(node.name[node.name.rindex("lms/"):], []).append(node)

    def take(self, trace, plan):
        after = {entry["name"]: list(entry["control_inputs"]) for entry in plan["added"]}
        for change in plan["control"]:
            after.setdefault(change["op"], []).extend(change["after"])
        for entry in plan["added"]:
            found = self._added.get(entry["name"][entry["name"].rindex("lms/"):], [])
            self.ops += 1
            self.lost_ops += not found
            waits = [word[1:] for node in found for word in node.input if word.startswith("^")]
            for trigger in after[entry["name"]]:
                self.edges += 1
                if not _holds(waits, trigger):
                    is_moved = self._is_moved(waits, trigger, trace.function.graph)
                    self.moved += is_moved
                    self.lost_edges += not is_moved

    def _is_moved(self, waits, trigger, graph):
        if _holds(self._names, trigger):
            return False
        try:
            op = graph.get_operation_by_name(trigger)
        except KeyError:  # in the body of a function
            return False
        twins = [reader.name for tensor in op.inputs[:1] for reader in tensor.consumers() if reader.type == op.type and reader != op]
        return any(_holds(waits, name) for name in twins) or any(
            _holds(waits, tensor.op.name) or self._is_moved(waits, tensor.op.name, graph) for tensor in op.inputs)

    def __str__(self):
        return (f"| after Grappler ops {self.ops - self.lost_ops} of {self.ops}, control edges {self.edges - self.lost_edges} of {self.edges}"
                + (f", {self.moved} of them moved" if self.moved else ""))


def _holds(names, wanted):
    """Names of inlined ops begin with those of the calls."""
    return wanted in names or any(name.endswith("/" + wanted) for name in names)


def of_model(name, more, grappler):
    """Lines, and whether all bits are the same."""
    plain = MODELS[name]()
    history = plain.fit()
    values = state(plain.model)
    peak, good = None, True
    for policy in POLICIES:
        one = MODELS[name]()
        options = dict(options_of(policy, one.batch, peak), **more)
        try:
            tideline.lms.apply(one.model, **options)
            got = one.fit()
        except tideline.Refused as problem:
            # What automatic mode does not find is no error of the rewriting.
            print(name, policy, "| refused:", str(problem).splitlines()[0][:150], flush=True)
            good = good and policy == "automatic"
            continue
        traces = tideline.lms.traces(one.model)
        peak = traces[0].predicted["device_peak_bytes_before"]
        same = got == history and state(one.model) == values
        plans = plans_of(traces)
        optimized = None
        if grappler:
            optimized = AfterGrappler(one)
            for trace, plan in zip(traces, plans):
                optimized.take(trace, plan)
        good = good and same and (optimized is None or optimized.lost_ops + optimized.lost_edges == 0)
        left_out = sum("no op can wake it" in kept["why"] for plan in plans for kept in plan["not_swapped"])
        swaps = [swap for plan in plans for swap in plan["swaps"]]
        print(name, policy, "|", "same" if same else "DIFFERENT", "| swaps", len(swaps),
              "swap-ins", sum(len(swap["swap_ins"]) for swap in swaps), "left out", left_out,
              optimized or "", flush=True)
    return good


def main():
    words = sys.argv[2:]
    grappler = sys.argv[1] == "grappler"
    one_thread(grappler=grappler)
    names = [word for word in words if word != "inline"] or list(MODELS)
    more = {"inline": True} if "inline" in words else {}
    print("TensorFlow", tf.__version__, "Keras", getattr(tf.keras, "__version__", "2"), flush=True)
    sys.exit(not all([of_model(name, more, grappler) for name in names]))


if __name__ == "__main__":
    main()
