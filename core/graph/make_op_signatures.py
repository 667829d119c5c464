#!/usr/bin/env python3
"""Write op_signatures.txt from serialized OpList files, newest first.

    make_op_signatures.py OPLIST.pb [OPLIST.pb ...] > op_signatures.txt

An OpList file is what TensorFlow's C function TF_GetAllOpList returns, of any version. The first
file that has an op type wins, so older versions only add types that were removed since. Needs the
pip package `tensorboard` (for the protocol buffers). The line format is described in
op_signature.cc; types with the same signature share lines of at most 100 characters. The ops of our own library for TensorFlow are always in the table, and so are those
that its memory optimizer makes swaps of, which such a file lists only where it was built for GPUs.
"""
import sys
import textwrap

from tensorboard.compat.proto import op_def_pb2, types_pb2

OURS = (
    "TmciCheckpoint!|tensors:[T]||",
    "TmciCheckpointStep!|step:int64,tensors:[T]||",
    "TmciLoad!|prefix:string,tensor_names:string,shape_and_slices:string|tensors:[dtypes]|",
    "TmciRestore!|tensors:[T]||",
    "TmciRestoreVariables!|handles:N*resource||",
    "TmciRestoreVariablesStep!|step:int64,handles:N*resource||",
    "TmciSave!|prefix:string,tensor_names:string,shape_and_slices:string,tensors:[T]||",
)

SWAPS = (
    "_CopyFromGpuToHost|input:T|output:T|",
    "_CopyFromHostToGpu|input:T|output:T|",
)


def dtype_name(number):
    return types_pb2.DataType.Name(number)[3:].lower()


def argument(arg):
    if arg.type_list_attr:
        kind = f"[{arg.type_list_attr}]"
    else:
        kind = arg.type_attr or dtype_name(arg.type)
        if arg.number_attr:
            kind = f"{arg.number_attr}*{kind}"
    return f"{arg.name}:{'&' if arg.is_ref else ''}{kind}"


def line(op):
    used = {name for arg in list(op.input_arg) + list(op.output_arg)
            for name in (arg.type_attr, arg.number_attr) if name}
    defaults = []
    for attr in op.attr:
        if attr.name in used and attr.HasField("default_value"):
            value = attr.default_value
            defaults.append(f"{attr.name}={dtype_name(value.type) if attr.type == 'type' else value.i}")
    return "|".join([op.name + ("!" if op.is_stateful else ""),
                     ",".join(map(argument, op.input_arg)),
                     ",".join(map(argument, op.output_arg)), ",".join(defaults)])


def main():
    ops = {}
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            for op in op_def_pb2.OpList.FromString(file.read()).op:
                ops.setdefault(op.name, line(op))
    ops.update({ours.split("|")[0].rstrip("!"): ours for ours in OURS + SWAPS})
    groups = {}
    for name in sorted(ops, key=str.encode):
        op_type, _, fields = ops[name].partition("|")
        groups.setdefault(fields, []).append(op_type)
    for fields, op_types in groups.items():
        width = max(100 - len(fields) - 1, max(map(len, op_types)))
        for types in textwrap.wrap(" ".join(op_types), width, break_on_hyphens=False):
            print(f"{types}|{fields}")


if __name__ == "__main__":
    main()
