#!/usr/bin/env python3
"""Compares a rewritten graph with its original and with an oracle of LMS; knows nothing of Tideline.

    check_rewrite.py ORIGINAL REWRITTEN ORACLE.json

Graphs are GraphDef (.pb, .pbtxt) or MetaGraphDef (.meta). Nothing but copies to and from the host, inputs
that read them, and control edges may have been added; there is no new cycle; and the swapped tensors, their
groups of consumers and the control ops are those of the oracle (any control op that it admits will do).
Prints what differs; exit code 0 when nothing does, 1 when something does, 2 for wrong arguments. Needs the
Python package `tensorboard` for the protocol buffers.
"""
import collections
import json
import pathlib
import sys

from google.protobuf import text_format
from tensorboard.compat.proto import graph_pb2, meta_graph_pb2

MOST_SHOWN = 20
LOOP_BACK, LOOP_ENTRY = ("NextIteration", "RefNextIteration"), ("Merge", "RefMerge")


def read(path):
    """The graph of a file, and its collections as bytes; None where the format has none."""
    path = pathlib.Path(path)
    if path.suffix == ".meta":
        meta = meta_graph_pb2.MetaGraphDef.FromString(path.read_bytes())
        return meta.graph_def, serialized(meta.collection_def)
    if path.suffix == ".pbtxt":
        return text_format.Parse(path.read_text(encoding="utf-8"), graph_pb2.GraphDef()), None
    return graph_pb2.GraphDef.FromString(path.read_bytes()), None


def serialized(messages):
    return {key: message.SerializeToString(deterministic=True) for key, message in messages.items()}


def tensor(name):
    """'a' and 'a:0' are the same tensor."""
    return name if ":" in name else name + ":0"


def op_of(name):
    return name.lstrip("^").split(":")[0]


def data_inputs(op):
    return [tensor(name) for name in op.input if not name.startswith("^")]


def control_inputs(op):
    return {op_of(name) for name in op.input if name.startswith("^")}


def ops_on_cycles(ops):
    """How many ops wait for each other, or behind such, where an input of a loop counts as none."""
    back = {op.name for op in ops if op.op in LOOP_BACK}
    readers, waits = collections.defaultdict(list), {}
    for op in ops:
        inputs = {op_of(name) for name in op.input}
        if op.op in LOOP_ENTRY:
            inputs -= back
        waits[op.name] = len(inputs)
        for name in inputs:
            readers[name].append(op.name)
    ready = [name for name, count in waits.items() if count == 0]
    done = 0
    while ready:
        done += 1
        for name in readers[ready.pop()]:
            waits[name] -= 1
            if waits[name] == 0:
                ready.append(name)
    return len(waits) - done


class Copies:
    """The ops that a rewrite added: what each swap-out reads, and what each swap-in brings back."""

    def __init__(self, added, is_version_2):
        self.problems, self.swapped, read_by = [], {}, {}
        for op in added:
            if op.op != "Identity" or not op.name.startswith("lms/swap"):
                self.problems.append(f"unexpected op {op.name} ({op.op})")
                continue
            inputs = data_inputs(op)
            if len(inputs) != 1:
                self.problems.append(f"{op.name} has {len(inputs)} data inputs")
                continue
            self.check_copy(op, inputs[0], is_version_2)
            (self.swapped if op.name.startswith("lms/swapout") else read_by)[op.name] = inputs[0]
        self.brought_back = {}
        for name, source in read_by.items():
            if op_of(source) in self.swapped:
                self.brought_back[name] = self.swapped[op_of(source)]
            else:
                self.problems.append(f"{name} does not read a swap-out")

    def check_copy(self, op, source, is_version_2):
        if "cpu" not in op.device.lower():
            self.problems.append(f"{op.name} is on '{op.device}', not on the host")
        if not op.attr["T"].type:
            self.problems.append(f"{op.name} has no type attribute T")
        if not is_version_2:
            return
        if not op.attr["_grappler_do_not_remove"].b:
            self.problems.append(f"{op.name} lacks _grappler_do_not_remove")
        named = "lms/swapout_" + source.replace("/", "_").replace(":", "_")
        if op.name.startswith("lms/swapout") and not op.name.startswith(named):
            self.problems.append(f"{op.name} is not named after {source}")


def compare_op(before, after, copies, consumers):
    """Problems of an op that was there before; fills `consumers` with what reads each swap-in."""
    name, problems = before.name, []
    if before.op != after.op or before.device != after.device:
        problems.append(f"{name}: op or device changed")
    if serialized(before.attr) != serialized(after.attr):
        problems.append(f"{name}: attributes changed")
    old, new = data_inputs(before), data_inputs(after)
    if len(old) != len(new):
        return problems + [f"{name}: number of data inputs changed"]
    for was, reads in zip(old, new):
        if was == reads:
            continue
        if copies.brought_back.get(op_of(reads)) == was:
            consumers[op_of(reads)].add(name)
        else:
            problems.append(f"{name}: input {was} became {reads}")
    if not control_inputs(before) <= control_inputs(after):
        problems.append(f"{name}: lost a control edge")
    return problems


def compare_rest(original, rewritten):
    """Functions, versions, collections and cycles."""
    (before, collections_before), (after, collections_after) = original, rewritten
    problems = []
    if before.library.SerializeToString(deterministic=True) != after.library.SerializeToString(deterministic=True):
        problems.append("the function library changed")
    if before.versions != after.versions:
        problems.append("versions changed")
    if None not in (collections_before, collections_after) and collections_before != collections_after:
        problems.append("collections changed")
    left = ops_on_cycles(after.node)
    if left > ops_on_cycles(before.node):
        problems.append(f"{left} ops are on a cycle")
    return problems


def compare_swaps(oracle, copies, consumers, ops):
    wanted = {(swap["tensor"], tuple(sorted(group["consumers"]))): group.get("control")
              for swap in oracle.get("swaps", [])
              for group in swap.get("groups", swap.get("swapins", []))}
    found = {(source, tuple(sorted(consumers[name]))): name for name, source in copies.brought_back.items()}
    problems = [f"missing swap of {source} for {list(group)}" for source, group in wanted.keys() - found.keys()]
    problems += [f"unexpected swap of {source} for {list(group)}"
                 for source, group in found.keys() - wanted.keys()]
    for key in wanted.keys() & found.keys():
        admitted, waits_for = wanted[key], control_inputs(ops[found[key]])
        if admitted and admitted["candidates"] and not waits_for & set(admitted["candidates"]):
            problems.append(f"{found[key]}: control {sorted(waits_for)} not among {admitted['candidates'][:5]}")
    return problems


def compare_counts(oracle, before, after, copies):
    problems = []
    if "control_edges_after" in oracle:
        wanted = oracle["control_edges_after"] - oracle["control_edges"]
        added = sum(len(control_inputs(op)) for op in after) - sum(len(control_inputs(op)) for op in before)
        if added != wanted:
            problems.append(f"{added} control edges added, the reference adds {wanted}")
    if len(copies.swapped) != oracle.get("swap_outs", 0):
        problems.append(f"{len(copies.swapped)} swap-outs, the oracle has {oracle.get('swap_outs', 0)}")
    return problems


def check(original, rewritten, oracle):
    """Problems, and the copies that were added; the graphs are answers of `read`."""
    before, after = original[0].node, rewritten[0].node
    old, new = ({op.name: op for op in ops} for ops in (before, after))
    problems = ["two ops have the same name"] if len(new) != len(after) else []
    problems += [f"lost op {name}" for name in old.keys() - new.keys()]
    copies = Copies([op for name, op in new.items() if name not in old], "levels" in oracle)
    problems += copies.problems
    consumers = collections.defaultdict(set)
    for name in old.keys() & new.keys():
        problems += compare_op(old[name], new[name], copies, consumers)
    problems += compare_rest(original, rewritten)
    problems += compare_swaps(oracle, copies, consumers, new)
    problems += compare_counts(oracle, before, after, copies)
    return problems, copies


def main():
    if len(sys.argv) != 4:
        print(__doc__)
        return 2
    oracle = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    problems, copies = check(read(sys.argv[1]), read(sys.argv[2]), oracle)
    for problem in sorted(problems)[:MOST_SHOWN]:
        print("-", problem)
    print(f"{len(copies.swapped)} swap-outs, {len(copies.brought_back)} swap-ins, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
