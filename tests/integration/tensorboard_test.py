#!/usr/bin/env python3
"""TensorBoard's own graph plugin serves the log of --tb: both runs, with the copies and their edges."""
import json
import subprocess
import sys

import common

SERVE = """
import os, sys, json, logging
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
from google.protobuf import text_format
from tensorboard import context as tb_context
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.plugins import base_plugin
from tensorboard.plugins.graph import graphs_plugin
from tensorboard.util import tensor_util

logdir, written = sys.argv[1:]
multiplexer = plugin_event_multiplexer.EventMultiplexer(tensor_size_guidance={"scalars": 0})
multiplexer.AddRunsFromDirectory(logdir)
multiplexer.Reload()
provider = data_provider.MultiplexerDataProvider(multiplexer, logdir)
plugin = graphs_plugin.GraphsPlugin(base_plugin.TBContext(logdir=logdir, data_provider=provider))
context = tb_context.RequestContext()

answer = {"info": plugin.info_impl(context, experiment="e"), "runs": {}, "events": {}, "tags": {}, "executed": {}}
for run in sorted(answer["info"]):
    # As the page asks: attributes above 1024 bytes are left out.
    body, kind = plugin.graph_impl(context, run, None, False, experiment="e", limit_attr_size=1024,
                                   large_attrs_key="_too_large_attrs")
    assert kind == "text/x-protobuf", kind
    graph = text_format.Parse(body, tf.GraphDef())
    answer["runs"][run] = {n.name: {"op": n.op, "device": n.device, "input": list(n.input),
                                    "shapes": "_output_shapes" in n.attr} for n in graph.node}
    folder = os.path.join(logdir, run)
    (name,) = os.listdir(folder)
    events = list(tf.train.summary_iterator(os.path.join(folder, name)))  # checks every checksum
    answer["events"][run] = [[e.WhichOneof("what"), e.wall_time, e.step] for e in events]
    tensors = multiplexer.GetAccumulator(run).Tags()["tensors"]
    answer["tags"][run] = {}
    for tag in tensors:
        rows = multiplexer.Tensors(run, tag)
        name = multiplexer.SummaryMetadata(run, tag).plugin_data.plugin_name
        values = [float(tensor_util.make_ndarray(r.tensor_proto)) for r in rows] if name == "scalars" else []
        answer["tags"][run][tag] = [name, len(rows), values]
    body, kind = plugin.run_metadata_impl(context, "e", run, "simulated step")
    stats = text_format.Parse(body, tf.RunMetadata()).step_stats
    answer["executed"][run] = {n.node_name: [n.all_end_rel_micros, sum(m.total_bytes for m in n.memory)]
                               for d in stats.dev_stats for n in d.node_stats}
    if run == "rewritten":
        meta = tf.MetaGraphDef.FromString(open(written, "rb").read())
        logged = tf.GraphDef.FromString(events[1].graph_def)
        answer["same"] = logged == meta.graph_def
print(json.dumps(answer))
"""


def plan_of(path):
    plan = common.read_json(path)
    return plan["added"], plan["rerouted"]


def slotless(tensor):
    return tensor[:-2] if tensor.endswith(":0") else tensor


def check(answer, added, rerouted):
    assert sorted(answer["info"]) == ["original", "rewritten"], answer["info"]
    assert all(run["run_graph"] for run in answer["info"].values()), answer["info"]
    for events in answer["events"].values():
        assert [event[0] for event in events][:2] == ["file_version", "graph_def"], events
        assert all(event[1] == 1.0 for event in events), events
    for run, tags in answer["tags"].items():
        plugins = {plugin for plugin, _, _ in tags.values()}
        assert {"scalars", "histograms", "images"} <= plugins, plugins
        assert ("text" in plugins and "hparams" in plugins) == (run == "rewritten"), plugins
        peak = tags["step/device_peak_bytes"][2][0]
        assert peak > 0 and peak == max(tags["memory_by_level/device_bytes"][2]), (run, peak)
        assert answer["info"][run]["tags"]["simulated step"]["profile"], answer["info"][run]
        executed = answer["executed"][run]
        assert set(executed) <= set(answer["runs"][run]), "what ran is in the graph"
        assert len(executed) > 100 and max(bytes for _, bytes in executed.values()) > 1000
    original, rewritten = answer["runs"]["original"], answer["runs"]["rewritten"]
    names = {op["name"] for op in added}
    assert names and set(rewritten) - set(original) == names, names ^ (set(rewritten) - set(original))
    assert not set(original) - set(rewritten)
    for op in added:
        served = rewritten[op["name"]]
        assert served["op"] == "Identity" and served["device"] == op["device"], served
        assert [slotless(name) for name in op["inputs"]] == \
            [slotless(name) for name in served["input"] if not name.startswith("^")], served
        # What the page shows as the size of an edge:
        assert served["shapes"], served
    assert rerouted
    for change in rerouted:
        assert slotless(original[change["op"]]["input"][change["slot"]]) == slotless(change["from"])
        assert slotless(rewritten[change["op"]]["input"][change["slot"]]) == slotless(change["to"])
    assert answer["same"], "the logged graph is the written one"
    return len(names), len(rerouted)


def main():
    common.need_tensorflow()
    with common.temporary_folder() as folder:
        common.tideline("rewrite", "lms2", common.ROOT / "assets/samples/tutorial_mnist.meta", "-o",
                        f"{folder}/small.meta", "--swapout-threshold", 50, "--swapin-ahead", 3,
                        "--swapin-groupby", 2, "--excl-output-by-scopes", "loss,accuracy,dropout",
                        "--plan-json", f"{folder}/plan.json", "--tb", f"{folder}/log", "--quiet")
        done = subprocess.run([common.TENSORFLOW, "-c", SERVE, f"{folder}/log",
                               f"{folder}/small.meta"], capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            sys.exit(done.stderr[-3000:])
        copies, edges = check(json.loads(done.stdout.splitlines()[-1]), *plan_of(f"{folder}/plan.json"))
    print(f"TensorBoard serves both runs: {copies} copies, {edges} inputs rerouted to them")


if __name__ == "__main__":
    sys.exit(main())
