#!/usr/bin/env python3
"""Apply a plan to a MetaGraph without Tideline: apply_plan.py GRAPH PLAN.json OUT

Written from assets/docs/plan.md alone, for plans of every kind, chains among them.
"""
import base64
import json
import sys

from tensorboard.compat.proto import attr_value_pb2, meta_graph_pb2, types_pb2


def spelled(tensor):
    """'x:0' is written 'x' in a GraphDef."""
    return tensor[:-2] if tensor.endswith(":0") else tensor


def add_shape(shape, dims):
    shape.unknown_rank = dims is None
    for dim in dims or []:
        shape.dim.add(size=-1 if dim is None else dim)


def attribute(value):
    """The AttrValue that the JSON of an attribute means."""
    attr = attr_value_pb2.AttrValue()
    if isinstance(value, bool):
        attr.b = value
    elif isinstance(value, int):
        attr.i = value
    elif isinstance(value, str):
        attr.type = types_pb2.DataType.Value(value)
    elif isinstance(value, list):
        for dims in value:
            add_shape(attr.list.shape.add(), dims)
    else:
        ((kind, said),) = value.items()
        if kind == "string":
            attr.s = said.encode()
        elif kind == "float":
            attr.f = said
        elif kind == "shape":
            attr.shape.SetInParent()
            add_shape(attr.shape, said)
        elif kind == "strings":
            attr.list.s.extend(text.encode() for text in said)
        elif kind == "integers":
            attr.list.i.extend(said)
        elif kind == "types":
            attr.list.type.extend(types_pb2.DataType.Value(name) for name in said)
        else:
            assert kind == "encoded", kind
            attr.ParseFromString(base64.b64decode(said))
    return attr


def change_attributes(node, changes):
    for key, value in changes.items():
        if value is None:
            node.attr.pop(key, None)
        else:
            node.attr[key].CopyFrom(attribute(value))


def add_op(graph, nodes, added):
    node = graph.node.add()
    if "copy_of" in added:
        node.CopyFrom(nodes[added["copy_of"]])
        assert node.op == added["op"]
    node.name, node.op, node.device = added["name"], added["op"], added["device"]
    del node.input[:]
    node.input.extend(spelled(name) for name in added["inputs"])
    node.input.extend("^" + name for name in added["control_inputs"])
    change_attributes(node, added["attrs"])


def wait_for(node, names):
    for name in names:
        if "^" + name not in node.input:
            node.input.append("^" + name)


def apply(graph, plan):
    assert plan["schema"] == "tideline.plan/1"
    if plan["kind"] == "chain":
        for link in plan["plans"]:
            apply(graph, link)
        return
    assert len(graph.node) == plan["graph"]["ops"]
    originals = {node.name: node for node in graph.node}
    for added in plan["added"]:
        add_op(graph, originals, added)
    nodes = {node.name: node for node in graph.node}
    for change in plan["rerouted"]:
        inputs = nodes[change["op"]].input
        assert inputs[change["slot"]] == spelled(change["from"])
        inputs[change["slot"]] = spelled(change["to"])
    for change in plan["control"]:
        wait_for(nodes[change["op"]], change["after"])
    for change in plan.get("removed_control", []):
        inputs = nodes[change["op"]].input
        kept = [name for name in inputs if name.lstrip("^") not in change["after"] or not name.startswith("^")]
        del inputs[:]
        inputs.extend(kept)
    for name, device in plan.get("devices", {}).items():
        nodes[name].device = device
    for name, changes in plan.get("attributes", {}).items():
        change_attributes(nodes[name], changes)
    for name in plan.get("emptied", []):
        node = nodes[name]
        waits = [text for text in node.input if text.startswith("^")]
        del node.input[:]
        node.input.extend(waits)
        node.op = "NoOp"
        node.attr.clear()
    removed = set(plan.get("removed", []))
    kept = [node for node in graph.node if node.name not in removed]
    copies = [type(node).FromString(node.SerializeToString()) for node in kept]
    del graph.node[:]
    graph.node.extend(copies)


def main():
    graph_path, plan_path, out = sys.argv[1:]
    meta = meta_graph_pb2.MetaGraphDef()
    with open(graph_path, "rb") as file:
        meta.ParseFromString(file.read())
    with open(plan_path, encoding="utf-8") as file:
        apply(meta.graph_def, json.load(file))
    with open(out, "wb") as file:
        file.write(meta.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
