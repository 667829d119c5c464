#!/usr/bin/env python3
"""Writes large training graphs for benchmarks, straight as wire bytes: no TensorFlow is needed.

    make_scale_graph.py OUT.pb 10k|100k|100k_deep|1m|TOWERSxBLOCKS

Towers of a residual net with their gradients and momentum updates; the same words give the same bytes.
10k: 9,909 ops, 4,956 levels; 100k: 99,854 ops, 4,996 levels; 100k_deep: 100,018 ops, 50,006 levels;
1m: 998,504 ops, 4,996 levels, 252 MB.
"""
import functools
import struct
import sys

from wire import field, varint

SIZES = {"10k": (1, 495), "100k": (10, 499), "100k_deep": (1, 5000), "1m": (100, 499)}
BLOCKS_A_STAGE = 25
SKIPS_AFTER = 7  # every seventh block also adds what came in so many blocks before
UPDATES_A_GROUP = 1000
PRODUCER = 1482

FLOAT, INT32 = 1, 3
IMAGES, KERNEL, BIAS, SCALAR = (32, 28, 28, 64), (3, 3, 64, 64), (64,), ()


# Wire bytes

def shape(dims):
    return b"".join(field(2, b"\x08" + varint(dim)) for dim in dims)


def attribute(key, value):
    return field(5, field(1, key) + field(2, value))


def type_of(key, number):
    return attribute(key, b"\x30" + varint(number))


def integer(key, value):
    return attribute(key, b"\x18" + varint(value))


@functools.cache
def output_shapes(*shapes):
    return attribute("_output_shapes", field(1, b"".join(field(7, shape(dims)) for dims in shapes)))


def constant(dtype, tensor, dims):
    return type_of("dtype", dtype) + attribute("value", field(8, tensor)) + output_shapes(dims)


def float_scalar(value):
    tensor = b"\x08\x01\x12\x00" + field(5, struct.pack("<f", value))
    return constant(FLOAT, tensor, SCALAR)


def four_integers(values):
    tensor = b"\x08\x03" + field(2, shape([4])) + field(4, struct.pack("<4i", *values))
    return constant(INT32, tensor, (4,))


T = type_of("T", FLOAT)
STRIDES = field(1, field(3, b"\x01" * 4))
CONVOLUTION = (attribute("strides", STRIDES) + attribute("padding", field(2, "SAME")) +
               attribute("data_format", field(2, "NHWC")) + attribute("dilations", STRIDES) + T)


def variable(dims):
    return (type_of("dtype", FLOAT) + attribute("shape", field(7, shape(dims))) +
            attribute("container", field(2, "")) + attribute("shared_name", field(2, "")) + output_shapes(dims))


KERNEL_VARIABLE, BIAS_VARIABLE = variable(KERNEL), variable(BIAS)


class Writer:
    """Appends ops to a file and counts them; `updates` are the control inputs of the train op."""

    def __init__(self, out):
        self.out, self.count, self.updates, self.device = out, 0, [], ""

    def op(self, name, kind, inputs=(), attributes=b""):
        body = field(1, name) + field(2, kind) + b"".join(field(3, text) for text in inputs)
        if self.device:
            body += field(4, self.device)
        self.out.write(field(1, body + attributes))
        self.count += 1
        return name


def read_variable(writer, name, dims, attributes):
    writer.op(name, "VariableV2", (), attributes)
    owner = attribute("_class", field(1, field(2, "loc:@" + name)))
    writer.op(name + "/read", "Identity", (name,), T + output_shapes(dims) + owner)


def forward_block(writer, path, before, inputs):
    """One convolution with bias and ReLU, added to its input; the name of the sum."""
    conv = path + "conv/"
    read_variable(writer, conv + "kernel", KERNEL, KERNEL_VARIABLE)
    read_variable(writer, conv + "bias", BIAS, BIAS_VARIABLE)
    like_images = T + output_shapes(IMAGES)
    writer.op(conv + "Conv2D", "Conv2D", (before, conv + "kernel/read"), CONVOLUTION + output_shapes(IMAGES))
    writer.op(conv + "BiasAdd", "BiasAdd", (conv + "Conv2D", conv + "bias/read"), like_images)
    writer.op(conv + "Relu", "Relu", (conv + "BiasAdd",), like_images)
    block = len(inputs) - 1
    summed = [conv + "Relu", before]
    if block % SKIPS_AFTER == 0:
        summed.append(inputs[max(0, block - SKIPS_AFTER)])
    return writer.op(path + "add", "AddN", summed, integer("N", len(summed)) + like_images)


def backward_block(writer, path, before, gradient):
    """The gradients of a block and the updates of its variables; the name of its input's gradient."""
    conv, grad = path + "conv/", "gradients/" + path + "conv/"
    like_images = T + output_shapes(IMAGES)
    relu, bias = grad + "Relu_grad/ReluGrad", grad + "BiasAdd_grad/"
    writer.op(relu, "ReluGrad", (gradient, conv + "Relu"), like_images)
    writer.op(bias + "BiasAddGrad", "BiasAddGrad", (relu,), T + output_shapes(BIAS))
    writer.op(bias + "tuple/group_deps", "NoOp", ("^" + bias + "BiasAddGrad", "^" + relu))
    passed = writer.op(bias + "tuple/control_dependency", "Identity",
                       (relu, "^" + bias + "tuple/group_deps"), like_images)
    shapes = grad + "Conv2D_grad/ShapeN"
    writer.op(shapes, "ShapeN", (before, conv + "kernel/read"), integer("N", 2) + T + output_shapes((4,), (4,)))
    writer.op(grad + "Conv2D_grad/Conv2DBackpropInput", "Conv2DBackpropInput",
              (shapes, conv + "kernel/read", passed), CONVOLUTION + output_shapes(IMAGES))
    writer.op(grad + "Conv2D_grad/Conv2DBackpropFilter", "Conv2DBackpropFilter",
              (before, shapes + ":1", passed), CONVOLUTION + output_shapes(KERNEL))
    writer.op(grad + "AddN", "AddN", (gradient, grad + "Conv2D_grad/Conv2DBackpropInput"),
              integer("N", 2) + like_images)
    update(writer, conv + "kernel", grad + "Conv2D_grad/Conv2DBackpropFilter", KERNEL, KERNEL_VARIABLE)
    update(writer, conv + "bias", bias + "BiasAddGrad", BIAS, BIAS_VARIABLE)
    return grad + "AddN"


def update(writer, name, gradient, dims, attributes):
    slot = writer.op(name + "/Momentum", "VariableV2", (), attributes)
    done = writer.op(f"momentum_optimizer/update_{name}/ApplyMomentum", "ApplyMomentum",
                     (name, slot, "lr", gradient, "mom"), T + output_shapes(dims))
    writer.updates.append("^" + done)


def loss_and_its_gradient(writer, tower, end):
    axes = writer.op(tower + "loss/axes", "Const", (), four_integers(range(4)))
    keep = attribute("keep_dims", b"\x28\x00")
    loss = writer.op(tower + "loss", "Mean", (end, axes), T + type_of("Tidx", INT32) + keep + output_shapes(SCALAR))
    gradient = "gradients/" + tower + "loss_grad/Fill"
    dims = writer.op(gradient + "/dims", "Const", (), four_integers(IMAGES))
    return writer.op(gradient, "Fill", (dims, loss), T + type_of("index_type", INT32) + output_shapes(IMAGES))


def write_tower(writer, number, blocks):
    tower = f"tower_{number}/"
    paths = [f"{tower}stage_{block // BLOCKS_A_STAGE}/block_{block}/" for block in range(blocks)]
    end, inputs = "images", []
    for path in paths:
        inputs.append(end)
        end = forward_block(writer, path, end, inputs)
    gradient = loss_and_its_gradient(writer, tower, end)
    for path, before in zip(reversed(paths), reversed(inputs)):
        gradient = backward_block(writer, path, before, gradient)


def write_graph(path, towers, blocks):
    """Writes the file; the number of its ops."""
    with open(path, "wb", 1 << 22) as out:
        writer = Writer(out)
        writer.op("images", "Placeholder", (), type_of("dtype", FLOAT) +
                  attribute("shape", field(7, shape(IMAGES))) + output_shapes(IMAGES))
        writer.op("lr", "Const", (), float_scalar(.1))
        writer.op("mom", "Const", (), float_scalar(.9))
        for tower in range(towers):
            writer.device = f"/device:GPU:{tower % 2}" if towers > 1 else ""
            write_tower(writer, tower, blocks)
        writer.device = ""
        groups = [writer.op(f"momentum_optimizer/group_{at // UPDATES_A_GROUP}", "NoOp",
                            writer.updates[at:at + UPDATES_A_GROUP])
                  for at in range(0, len(writer.updates), UPDATES_A_GROUP)]
        writer.op("momentum_optimizer", "NoOp", ["^" + group for group in groups])
        out.write(field(4, b"\x08" + varint(PRODUCER)))
    return writer.count


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    size = sys.argv[2]
    towers, blocks = SIZES[size] if size in SIZES else map(int, size.split("x"))
    print(write_graph(sys.argv[1], towers, blocks), "ops")


if __name__ == "__main__":
    main()
