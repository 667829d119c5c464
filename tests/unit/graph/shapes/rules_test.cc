// One case a family of rules; expected shapes are what TensorFlow 2.15 says, with B where it says ?
// and the batch is meant.
#include <catch2/catch.hpp>

#include "core/graph/op_facts_text.h"
#include "core/graph/shapes/rules.h"
#include "tests/unit/graph/shapes/shapes_of.h"

namespace tideline {

using test::ShapesOf;

TEST_CASE("convolutions: SAME, VALID, explicit padding, dilation, channels first") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,33,29,3]
    w = VariableV2() +shape=[3,5,3,8]
    same = Conv2D(x, w) +strides=(1,2,2,1) +padding='SAME' +data_format='NHWC'
    valid = Conv2D(x, w) +strides=(1,2,2,1) +padding='VALID' +dilations=(1,2,1,1)
    explicit = Conv2D(x, w) +strides=(1,1,1,1) +padding='EXPLICIT' +explicit_paddings=(0,0,1,2,2,0,0,0)
    first = Placeholder() +shape=[?,3,33,29]
    nchw = Conv2D(first, w) +strides=(1,1,2,2) +padding='SAME' +data_format='NCHW'
    deep = DepthwiseConv2dNative(x, w) +strides=(1,1,1,1) +padding='SAME'
    volume = Placeholder() +shape=[?,8,8,8,2]
    w3 = VariableV2() +shape=[3,3,3,2,4]
    conv3 = Conv3D(volume, w3) +strides=(1,1,1,1,1) +padding='VALID'
    open = Conv2D(late, w) +strides=(1,1,1,1) +padding='SAME'
    late = Placeholder()
  )");
  CHECK(shape("same") == "[B,17,15,8]");
  CHECK(shape("valid") == "[B,15,13,8]");     // ceil((33 - 2*2) / 2), ceil((29 - 4) / 2)
  CHECK(shape("explicit") == "[B,34,27,8]");  // 33 + 3 - 2, 29 + 2 - 4
  CHECK(shape("nchw") == "[B,8,17,15]");
  CHECK(shape("deep") == "[B,33,29,24]");
  CHECK(shape("conv3") == "[B,6,6,6,4]");
  CHECK(shape("open") == "[B,?,?,8]");  // what feeds it has rank 4, and so a batch
}

TEST_CASE("a gradient that gets a shape as a tensor has it") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,8,8,3]
    w = VariableV2() +shape=[3,3,3,4]
    g = Conv2D(x, w) +strides=(1,1,1,1) +padding='SAME'
    s = ShapeN(x, w) +N=2
    dx = Conv2DBackpropInput(s, w, g) +strides=(1,1,1,1) +padding='SAME'
    dw = Conv2DBackpropFilter(x, s:1, g) +strides=(1,1,1,1) +padding='SAME'
    pool = MaxPool(x) +ksize=(1,2,2,1) +strides=(1,2,2,1) +padding='SAME'
    dpool = MaxPoolGrad(x, pool, pool)
    bn = FusedBatchNormV3(x, c, c, c, c) +is_training=true
    c = VariableV2() +shape=[3]
    dbn = FusedBatchNormGradV3(x, x, c, bn:3, bn:4, bn:5)
    read = Identity(dbn:4)
    bias = BiasAddGrad(g)
  )");
  CHECK(shape("dx") == "[B,8,8,3]");
  CHECK(shape("dw") == "[3,3,3,4]");
  CHECK(shape("pool") == "[B,4,4,3]");
  CHECK(shape("dpool") == "[B,8,8,3]");
  CHECK(shape("bn:1") == "[3]");
  CHECK(shape("bn:5") == "[0]");
  CHECK(shape("dbn") == "[B,8,8,3]");
  CHECK(shape("dbn:1") == "[3]");
  CHECK(shape("dbn:4") == "[0]");
  CHECK(shape("bias") == "[4]");
}

TEST_CASE("a flattened dim is a multiple of the batch, and comes apart again") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,128,768]
    flat_shape = Const() +value=i32[2]{-1,768}
    flat = Reshape(x, flat_shape)
    back_shape = Const() +value=i32[4]{-1,128,12,64}
    back = Reshape(flat, back_shape)
    s = Shape(x) +out_type=i32
    again = Reshape(flat, s)
    count = Size(x)
    three = Const() +value=i32[]{3}
    doubled = ConcatV2(x, x, zero) +N=2
    zero = Const() +value=i32[]{0}
  )");
  CHECK(shape("flat") == "[128B,768]");
  CHECK(shape("back") == "[B,128,12,64]");
  CHECK(shape("again") == "[B,128,768]");
  CHECK(shape("doubled") == "[2B,128,768]");
}

TEST_CASE("elements of shapes are followed through slices, packs and arithmetic") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,6,8]
    s = Shape(x)
    i0 = Const() +value=i32[1]{0}
    i1 = Const() +value=i32[1]{1}
    one = StridedSlice(s, i0, i1, i1) +shrink_axis_mask=1
    rest = StridedSlice(s, i1, i1, i1) +end_mask=1
    two = Const() +value=i32[]{2}
    half = FloorDiv(six, two) +T=i32
    six = Const() +value=i32[]{6}
    minus = Const() +value=i32[]{-1}
    target = Pack(one, half, minus) +N=3
    y = Reshape(x, target)
    wide = Mul(rest, two) +T=i32
    z = Fill(wide, six)
    axis = Const() +value=i32[]{0}
    joined = ConcatV2(s, wide, axis) +N=2
    u = Fill(joined, six)
    r = Range(axis, six, two)
  )");
  CHECK(shape("y") == "[B,3,16]");
  CHECK(shape("z") == "[12,16]");
  CHECK(shape("u") == "[B,6,8,12,16]");
  CHECK(shape("r") == "[3]");
}

TEST_CASE("slicing: masks, negative ends, strides, new axes and ellipses") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,10,8]
    b = Const() +value=i32[3]{0,1,-1}
    e = Const() +value=i32[3]{0,-1,0}
    s = Const() +value=i32[3]{1,2,1}
    a = StridedSlice(x, b, e, s) +begin_mask=1 +end_mask=1 +shrink_axis_mask=4
    n = StridedSlice(x, b, e, s) +new_axis_mask=2 +begin_mask=5 +end_mask=5
    l = StridedSlice(x, b2, e2, s2) +ellipsis_mask=1 +shrink_axis_mask=2
    b2 = Const() +value=i32[2]{0,3}
    e2 = Const() +value=i32[2]{0,4}
    s2 = Const() +value=i32[2]{1,1}
    begin = Const() +value=i32[3]{0,2,3}
    size = Const() +value=i32[3]{-1,4,-1}
    part = Slice(x, begin, size)
  )");
  CHECK(shape("a") == "[B,4]");       // [:, 1:-1:2, -1]
  CHECK(shape("n") == "[B,1,10,8]");  // [:, None, :]
  CHECK(shape("l") == "[B,10]");      // [..., 3]
  CHECK(shape("part") == "[B,4,5]");
}

TEST_CASE("products, reductions and arrays") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,6,8]
    w = VariableV2() +shape=[8,5]
    p = BatchMatMulV2(x, w)
    t = BatchMatMulV2(x, x) +adj_y=true
    e = Einsum(x, w) +equation='bth,ho->bot' +N=2
    axes = Const() +value=i32[2]{0,-1}
    sum = Sum(x, axes)
    kept = Mean(x, axes) +keep_dims=true
    one = Const() +value=i32[]{1}
    a = ArgMax(x, one)
    order = Const() +value=i32[3]{2,0,1}
    turned = Transpose(x, order)
    pads = Const() +value=i32[3,2]{0,0,1,2,3,0}
    padded = Pad(x, pads)
    times = Const() +value=i32[3]{2,1,3}
    tiled = Tile(x, times)
    g = GatherV2(x, axes, one)
    h = OneHot(a, five, one, one) +axis=-1
    five = Const() +value=i32[]{5}
    parts = Split(one, x) +num_split=3
    read = Identity(parts:2)
    where = Where(x)
    many = Unpack(x) +num=6 +axis=1
    last = Identity(many:5)
  )");
  CHECK(shape("p") == "[B,6,5]");
  CHECK(shape("t") == "[B,6,6]");
  CHECK(shape("e") == "[B,5,6]");
  CHECK(shape("sum") == "[6]");
  CHECK(shape("kept") == "[1,6,1]");
  CHECK(shape("a") == "[B,8]");
  CHECK(shape("turned") == "[8,B,6]");
  CHECK(shape("padded") == "[B,9,11]");
  CHECK(shape("tiled") == "[2B,6,24]");
  CHECK(shape("g") == "[B,2,8]");
  CHECK(shape("h") == "[B,8,5]");
  CHECK(shape("parts:2") == "[B,2,8]");
  CHECK(shape("where") == "[?,3]");
  CHECK(shape("last") == "[B,8]");
}

TEST_CASE("shapes and axes in another data format are those of the layout optimizer") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,8,6,3]
    size = Shape(x)
    turned_size = DataFormatVecPermute(size) +src_format='NHWC' +dst_format='NCHW'
    turned = Reshape(x, turned_size)
    axes = Const() +value=i32[2]{1,-1}
    turned_axes = DataFormatDimMap(axes) +src_format='NHWC' +dst_format='NCHW'
    sum = Sum(turned, turned_axes)
  )");
  CHECK(shape("turned") == "[B,3,8,6]");
  CHECK(shape("sum") == "[B,6]");  // without height, which is axis 2 now, and channels, axis 1
}

TEST_CASE("variables carry their shape in the handle") {
  const ShapesOf shape(R"(
    v = VarHandleOp() +shape=[50,6]
    r = ReadVariableOp(v)
    ids = Placeholder() +shape=[?,7]
    g = ResourceGather(v, ids)
    s = VariableShape(v)
    zero = Const() +value=i32[]{0}
    f = Fill(s, zero)
  )");
  CHECK(shape("v") == "[]");
  CHECK(shape("r") == "[50,6]");
  CHECK(shape("g") == "[B,7,6]");
  CHECK(shape("f") == "[50,6]");
}

TEST_CASE("inputs that contradict each other make the output unknown, and are counted") {
  const ShapesOf shape(R"(
    a = VariableV2() +shape=[2,3]
    b = VariableV2() +shape=[4,5]
    c = AddV2(a, b)
    d = MatMul(a, b)
    e = Relu(c)
    bad = Const() +value=i32[2]{7,7}
    f = Reshape(a, bad)
    missing = MatMul(a)
  )");
  CHECK(shape("c") == "?");
  CHECK(shape("e") == "?");
  CHECK(shape("f") == "?");
  CHECK(shape.result().contradictions.size() == 3);
}

TEST_CASE("an op type without a rule is unknown and counted") {
  const ShapesOf shape("a = VariableV2() +shape=[2]\nb = NobodyKnowsThis(a)\nc = Relu(b)\n");
  CHECK(shape("b") == "?");
  CHECK(shape("c") == "?");
  CHECK(shape.result().ops_without_rule == 1);
}

TEST_CASE("what is read by a MatMul is a matrix with as many columns as the other has rows") {
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,8]
    keep = Placeholder()
    scaled = RealDiv(x, keep)
    w = VariableV2() +shape=[8,3]
    y = MatMul(scaled, w)
    s = Shape(scaled)
    again = Reshape(scaled, s)
  )");
  CHECK(shape("scaled") == "[?,8]");
  CHECK(shape("again") == "[?,8]");
}

TEST_CASE("there are rules for the op types of training graphs, and a dataset is a variant") {
  int with_rule = 0;
  for_each_op_type([&](std::string_view type, std::string_view) {
    with_rule += shape_rule(type) != nullptr ? 1 : 0;
  });
  CHECK(with_rule > 600);
  CHECK(shape_rule("Conv2D") != nullptr);
  CHECK(shape_rule("ParallelMapDatasetV2") != nullptr);
  CHECK(shape_rule("ScalarSummary") != nullptr);
  CHECK(shape_rule("NobodyKnowsThis") == nullptr);
}

}  // namespace tideline
