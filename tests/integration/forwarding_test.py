"""The kernels of TensorFlow hand buffers on as core/graph/op_facts.txt says.

Every op type with `alias` or `inplace` facts that can be built from plain tensors is run once on fresh
inputs; then the addresses of input and output are compared. Types that need more than that (references,
lists of resources, indices) are counted, not checked.
"""
import json
import subprocess
import sys

import common

FACTS = common.ROOT / "core/graph/op_facts.txt"
SIGNATURES = common.ROOT / "core/graph/op_signatures.txt"


def read_facts():
    """Op type -> (names of inputs, names of outputs, [(kind, output, input)]) for stateless types."""
    arguments = {}
    for line in SIGNATURES.read_text(encoding="utf-8").splitlines():
        fields = line.split("|")
        if "&" in fields[1]:
            continue
        names = [[a.split(":")[0] for a in field.split(",") if a] for field in fields[1:3]]
        arguments.update({op_type: names for op_type in fields[0].split() if not op_type.endswith("!")})
    facts = {}
    for line in FACTS.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        words = line.split()
        at = next(i for i, word in enumerate(words) if word.islower())
        op_types = [word for word in words[:at] if word in arguments and not word.startswith("_")]
        kind = words[at]
        links = [(word.split("=")[0], *link.split("<"))
                 for word in words[at + 1:] if word.startswith(("alias=", "inplace="))
                 for link in word.split("=")[1].split(",")]
        if links and kind not in ("update", "assign", "placeholder", "container"):
            facts.update({op_type: (*arguments[op_type], links) for op_type in op_types})
    return facts


RUNNER = r'''
import json, os, sys
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf
v1 = tf.compat.v1
config = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
ROWS, COLUMNS = 64, 32


def argument(op_type, name, fresh):
    if name == "shape": return tf.constant([ROWS * COLUMNS])
    if name in ("axis", "num_lower", "num_upper"): return tf.constant(0)
    if name in ("clip_value_min", "clip_value_max"): return tf.constant(0.5)
    if name == "bias": return tf.constant(np.ones(COLUMNS, "f"))
    if name == "labels" and op_type.startswith("Sparse"): return tf.constant(np.ones(ROWS, "i"))
    if name == "condition": return tf.constant(np.ones((ROWS, COLUMNS), bool))
    if name == "pred": return tf.constant(True)
    if op_type in ("AddN", "Merge"): return [fresh(name), fresh("other")]
    return [fresh(name)] if op_type == "IdentityN" else fresh(name)


def addresses(op_type, inputs, outputs, link):
    """Addresses of the fresh inputs by name, and of the output of `link`."""
    _, output, _ = link
    with tf.Graph().as_default() as graph:
        dtype = tf.bool if op_type.startswith("Logical") else tf.float32
        if op_type.startswith(("Bitwise", "LeftShift", "RightShift")) or op_type == "Invert":
            dtype = tf.int32
        feed = {}

        def fresh(name):
            place = v1.placeholder(dtype, [COLUMNS, ROWS])
            feed[place] = (np.random.rand(COLUMNS, ROWS) * 0.8 + 0.1).astype(dtype.as_numpy_dtype)
            return tf.raw_ops.Transpose(x=place, perm=[1, 0], name="fresh_" + name)

        call = {name: argument(op_type, name, fresh) for name in inputs}
        if op_type == "ExpandDims": call = {"input": call["input"], "axis": 0}
        if op_type == "EnsureShape": call["shape"] = [ROWS, COLUMNS]
        if op_type == "Bitcast": call["type"] = tf.int32
        if op_type == "CheckNumerics": call["message"] = "x"
        if op_type == "Select": call = {"condition": call["condition"], "x": call["t"], "y": call["e"]}
        getattr(tf.raw_ops, op_type)(name="made", **call)
        made = graph.get_operation_by_name("made").outputs[outputs.index(output)]
        end = tf.raw_ops.LogicalNot(x=made) if made.dtype == tf.bool else tf.reduce_sum(tf.cast(made, tf.float32))
        metadata = v1.RunMetadata()
        with v1.Session(config=config) as session:
            session.run(end, feed, v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE), metadata)
    found = {}
    for device in metadata.step_stats.dev_stats:
        for node in device.node_stats:
            for tensor in node.output:
                found[node.node_name, tensor.slot] = tensor.tensor_description.allocation_description.ptr
    return found, found.get(("made", outputs.index(output)))


answers = {"same": [], "other": [], "not_run": []}
for op_type, (inputs, outputs, links) in json.load(sys.stdin).items():
    for link in links:
        try:
            found, result = addresses(op_type, inputs, outputs, link)
        except Exception:  # needs other arguments than plain tensors
            answers["not_run"].append(op_type)
            continue
        # Of several inputs that may give their buffer, the first one does.
        names = [name for _, output, name in links if output == link[1]] + ["other"]
        givers = [found.get(("fresh_" + name, 0)) for name in names]
        if not result or not any(givers):
            answers["not_run"].append(op_type)
        elif result in givers:
            answers["same"].append(op_type)
        else:
            answers["other"].append([op_type, *link])
print(json.dumps(answers))
'''


def main():
    common.need_tensorflow()
    done = subprocess.run([common.TENSORFLOW, "-c", RUNNER], input=json.dumps(read_facts()),
                          capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit("TensorFlow failed: " + done.stderr[-2000:])
    answers = json.loads(done.stdout.splitlines()[-1])
    same = sorted(set(answers["same"]))
    print(f"{len(same)} op types hand their buffer on; not run: "
          f"{', '.join(sorted(set(answers['not_run'])))}")
    if answers["other"]:
        sys.exit(f"another buffer than the table says: {answers['other']}")
    if len(same) < 100:
        sys.exit(f"only {len(same)} op types could be run; expected 100 or more")


main()
