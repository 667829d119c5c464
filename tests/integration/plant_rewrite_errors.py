"""Plants errors into a rewritten MetaGraph, one a file, for check_rewrite_test.py; in TensorFlow's Python.

    plant_rewrite_errors.py RIGHT.meta FOLDER

Writes FOLDER/ERROR.meta for each, and FOLDER/planted.json: what the checker has to say of each."""
import json
import pathlib
import sys

from tensorboard.compat.proto import meta_graph_pb2


def ops(meta):
    return {op.name: op for op in meta.graph_def.node}


def first(meta, start):
    return next(op for op in meta.graph_def.node if op.name.startswith(start))


def lost_op(meta):
    del meta.graph_def.node[0]
    return "lost op"


def same_name(meta):
    meta.graph_def.node.add().CopyFrom(meta.graph_def.node[0])
    return "same name"


def added_op(meta):
    meta.graph_def.node.add(name="planted", op="NoOp")
    return "unexpected op planted"


def copy_on_the_device(meta):
    first(meta, "lms/swapout").device = "/device:GPU:0"
    return "not on the host"


def copy_without_type(meta):
    del first(meta, "lms/swapin").attr["T"]
    return "has no type attribute T"


def copy_that_may_vanish(meta):
    del first(meta, "lms/swapin").attr["_grappler_do_not_remove"]
    return "lacks _grappler_do_not_remove"


def swap_in_of_the_device(meta):
    swap_in = first(meta, "lms/swapin")
    swap_in.input[0] = ops(meta)[swap_in.input[0].split(":")[0]].input[0]
    return "does not read a swap-out"


def other_input(meta):
    op = ops(meta)["fc1/Relu"]
    assert op.input[0] != "fc1/MatMul"
    op.input[0] = "fc1/MatMul"
    return "fc1/Relu: input"


def swap_left_out(meta):
    swap_in = first(meta, "lms/swapin")
    source = ops(meta)[swap_in.input[0].split(":")[0]].input[0]
    for op in meta.graph_def.node:
        for slot, name in enumerate(op.input):
            if name.split(":")[0] == swap_in.name:
                op.input[slot] = source
    return "missing swap of"


def other_attribute(meta):
    ops(meta)["conv1/Conv2D"].attr["planted"].b = True
    return "conv1/Conv2D: attributes changed"


def other_device(meta):
    ops(meta)["conv1/Conv2D"].device = "/device:CPU:0"
    return "conv1/Conv2D: op or device changed"


def control_from_elsewhere(meta):
    swap_in = first(meta, "lms/swapin")
    at = next(at for at, name in enumerate(swap_in.input) if name.startswith("^"))
    swap_in.input[at] = "^Placeholder"
    return "control ['Placeholder'] not among"


def cycle(meta):
    ops(meta)["conv1/Conv2D"].input.append("^fc2/add")
    return "on a cycle"


def other_versions(meta):
    meta.graph_def.versions.producer += 1
    return "versions changed"


def other_collections(meta):
    del meta.collection_def["train_op"]
    return "collections changed"


ERRORS = [lost_op, same_name, added_op, copy_on_the_device, copy_without_type, copy_that_may_vanish,
          swap_in_of_the_device, other_input, swap_left_out, other_attribute, other_device, control_from_elsewhere,
          cycle, other_versions, other_collections]


def main():
    right, folder = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2])
    planted = {}
    for error in ERRORS:
        meta = meta_graph_pb2.MetaGraphDef.FromString(right)
        planted[error.__name__] = error(meta)
        (folder / f"{error.__name__}.meta").write_bytes(meta.SerializeToString())
    (folder / "planted.json").write_text(json.dumps(planted), encoding="utf-8")


if __name__ == "__main__":
    main()
