#!/usr/bin/env python3
"""Apply a plan of kind "lms" to a MetaGraph without Tideline: apply_plan.py GRAPH PLAN.json OUT"""
import json
import sys

from tensorboard.compat.proto import meta_graph_pb2, types_pb2


def spelled(tensor):
    """'x:0' is written 'x' in a GraphDef."""
    return tensor[:-2] if tensor.endswith(":0") else tensor


def main():
    graph_path, plan_path, out = sys.argv[1:]
    meta = meta_graph_pb2.MetaGraphDef()
    with open(graph_path, "rb") as file:
        meta.ParseFromString(file.read())
    with open(plan_path, encoding="utf-8") as file:
        plan = json.load(file)
    assert plan["schema"] == "tideline.plan/1" and plan["kind"] == "lms"
    graph = meta.graph_def
    assert len(graph.node) == plan["graph"]["ops"]
    for added in plan["added"]:
        node = graph.node.add(name=added["name"], op=added["op"], device=added["device"])
        node.input.extend(spelled(name) for name in added["inputs"])
        node.attr["T"].type = types_pb2.DataType.Value(added["attrs"]["T"])
        if added["attrs"].get("_grappler_do_not_remove"):
            node.attr["_grappler_do_not_remove"].b = True
        for dims in added["attrs"].get("_output_shapes", []):
            shape = node.attr["_output_shapes"].list.shape.add(unknown_rank=dims is None)
            for dim in dims or []:
                shape.dim.add(size=-1 if dim is None else dim)
    nodes = {node.name: node for node in graph.node}
    for change in plan["rerouted"]:
        inputs = nodes[change["op"]].input
        assert inputs[change["slot"]] == spelled(change["from"])
        inputs[change["slot"]] = spelled(change["to"])
    for change in plan["control"]:
        nodes[change["op"]].input.extend("^" + name for name in change["after"])
    with open(out, "wb") as file:
        file.write(meta.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
