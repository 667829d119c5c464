"""Reads a traced step of TensorFlow: which op ran when, and which bytes lived when.

An allocation record belongs to the op that asked for it, whoever reads or forwards the buffer later.
Records that are freed before their op ends are its scratch and are kept apart. A variable's first buffer is
older than the step: where an assignment keeps a buffer of the step instead, the old one is gone then.
"""
import collections

ASSIGNMENTS = ("Assign", "AssignVariableOp")
UPDATES = ("Assign", "Resource", "Scatter")  # types that begin so keep a copy where somebody still reads the old buffer


def outputs_of(row):
    """[slot, bytes, address, shape] of what an op put out; nothing for a dead one."""
    found = []
    for output in row.output:
        what = output.tensor_description.allocation_description
        if output.tensor_description.dtype:
            shape = output.tensor_description.shape
            found.append([output.slot, what.allocated_bytes or what.requested_bytes, what.ptr,
                          None if shape.unknown_rank else [side.size for side in shape.dim]])
    return found


def pairs_of(memory):
    """[allocated at, freed at or None, bytes]; a release is that of the oldest allocation of its size."""
    pairs, waiting = [], collections.defaultdict(collections.deque)
    for record in memory.allocation_records:
        if record.alloc_bytes > 0:
            pairs.append([record.alloc_micros, None, record.alloc_bytes])
            waiting[record.alloc_bytes].append(pairs[-1])
        elif waiting[-record.alloc_bytes]:
            waiting[-record.alloc_bytes].popleft()[1] = record.alloc_micros
    return pairs


def read_row(row, types):
    """An op's run with its records split into outputs and scratch."""
    start, end = row.all_start_micros, row.all_start_micros + row.op_end_rel_micros
    name = row.node_name
    if row.all_start_nanos:
        start, end = row.all_start_nanos / 1e3, (row.all_start_nanos + row.op_end_rel_nanos) / 1e3
    outputs = outputs_of(row)
    sizes = collections.Counter(size for _, size, _, _ in outputs)
    kept, scratch = [], []
    for memory in row.memory:
        for pair in pairs_of(memory):
            brief = pair[1] is not None and (pair[1] < int(end) or (pair[1] <= end and not sizes[pair[2]]))
            (scratch if brief else kept).append(pair)
    slots = {}
    for pair in kept:
        slot = next((slot for slot, size, _, _ in outputs if size == pair[2] and slot not in slots), None)
        if slot is not None:
            slots[slot] = pair
        pair.append(slot)
    return {"name": name, "type": types.get(name, ""), "start": start, "end": end, "scheduled": row.scheduled_micros,
            "outputs": outputs, "records": kept, "scratch": scratch}


def replaced_variables(ops, graph_def):
    """[moment, bytes freed]: assignments that kept a buffer of this step, whose release is never recorded."""
    by_name = {op["name"]: op for op in ops}
    address = {}
    for op in ops:
        for slot, _, pointer, _ in op["outputs"]:
            address[f"{op['name']}:{slot}"] = pointer
    kept = {}
    for op in ops:
        for pair in op["records"]:
            if pair[1] is None and pair[3] is not None:
                kept[address[f"{op['name']}:{pair[3]}"]] = pair
    found = [[op["end"], pair[2]] for op in ops if op["type"].startswith(UPDATES)
             for pair in op["records"] if pair[1] is None]
    for node in graph_def.node:
        if node.op in ASSIGNMENTS and node.name in by_name and len(node.input) > 1:
            source = node.input[1] if ":" in node.input[1] else node.input[1] + ":0"
            pair = kept.pop(address.get(source), None)
            if pair:
                found.append([by_name[node.name]["end"], pair[2]])
    return found


def live_peak(ops, freed):
    """(most bytes, moment). A buffer that came and went in one microsecond counts for that microsecond."""
    changes, moments = collections.Counter(), collections.Counter()
    for op in ops:
        for start, end, size, _ in op["records"]:
            if end == start:
                moments[start] += size
                continue
            changes[start] += size
            if end is not None:
                changes[end] -= size
    for moment, size in freed:
        changes[int(moment)] -= size
    live = most = 0
    when = 0
    for moment in sorted(set(changes) | set(moments)):
        live += changes[moment]
        if live + moments[moment] > most:
            most, when = live + moments[moment], moment
    return most, when


def with_shapes(graph_def, ops):
    """The graph that ran, for a reader of graphs: what was fed is placeholders, no op has a device, and tensors have
    the shapes that they had."""
    shapes = collections.defaultdict(dict)
    for op in ops:
        for slot, _, _, shape in op["outputs"]:
            known = shapes[op["name"]].setdefault(slot, shape)
            if known != shape:
                shapes[op["name"]][slot] = None  # differs from round to round
    found = type(graph_def)()
    found.CopyFrom(graph_def)
    for node in found.node:
        node.device = ""
        slots = shapes.get(node.name, {})
        if node.op == "_Arg":
            kind = node.attr["T"].type
            node.op = "Placeholder"
            node.attr.clear()
            node.attr["dtype"].type = kind
        if slots and all(slots.get(slot) is not None for slot in range(max(slots) + 1)):
            listed = node.attr["_output_shapes"].list.shape
            for slot in range(max(slots) + 1):
                shape = listed.add()
                for side in slots[slot]:
                    shape.dim.add().size = side
            if node.op == "Placeholder":
                node.attr["shape"].shape.CopyFrom(listed[0])
    return found


def read_step(step_stats, graph_def):
    types = {node.name: node.op for node in graph_def.node}
    rows = [row for device in step_stats.dev_stats for row in device.node_stats if row.node_name in types]
    others = sorted({row.node_name for device in step_stats.dev_stats for row in device.node_stats} - set(types))
    ops = sorted((read_row(row, types) for row in rows), key=lambda op: op["start"])
    freed = replaced_variables(ops, graph_def)
    peak, when = live_peak(ops, freed)
    alive = collections.Counter()
    for op in ops:
        for start, end, size, slot in op["records"]:
            if start <= when and (end is None or end > when or start == when == end):
                alive[op["name"] + (f":{slot}" if slot is not None else " (kept inside)")] += size
    peak_op = next((op["name"] for op in reversed(ops) if op["start"] <= when + 1), "")
    scratch = {op["name"]: sum(size for _, _, size in op["scratch"]) for op in ops if op["scratch"]}
    left = collections.Counter()
    for op in ops:
        for pair in op["records"]:
            if pair[1] is None:
                left[op["name"]] += pair[2]
    first = min(op["start"] for op in ops)
    return {"records_peak_bytes": peak, "peak_moment": when - first, "peak_op": peak_op,
            "alive_at_peak": dict(alive.most_common()), "scratch_by_op": scratch, "never_freed": dict(left),
            "variables_replaced": sum(size for _, size in freed), "unknown_rows": others,
            "micros": max(op["end"] for op in ops) - first, "ops": ops}
