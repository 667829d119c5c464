#include "core/graph/op_flops.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// Of the last op of `text`, on the faithful model.
OpFlops flops_of(const std::string& text, std::optional<std::int64_t> batch_size = {}) {
  const io::Document document = test::read_graph(text);
  TensorOptions options;
  options.model = SizeModel::kFaithful;
  options.batch_size = batch_size;
  const auto tensors = TensorTable::build(document.graph, options);
  REQUIRE(tensors);
  const OpFactsTable facts = OpFactsTable::for_graph(document.graph);
  const OpId last{static_cast<std::uint32_t>(document.graph.op_count() - 1)};
  return op_flops(document.graph, *tensors, facts.of(document.graph, last), last);
}

}  // namespace

TEST_CASE("a convolution meets the filter of its channel for each element of its output") {
  // 2 * (64*56*56*64 = 12845056) * (3*3*64 = 576)
  const OpFlops flops = flops_of(R"(
    x = Placeholder() f32[64,56,56,64]
    f = VariableV2() f32[3,3,64,64]
    y = Conv2D(x, f) f32[64,56,56,64] +data_format='NHWC'
  )");
  CHECK(flops.count == 14797504512.0);
  CHECK(flops.type == DataType::kFloat);
}

TEST_CASE("strides and layouts are in the shapes, groups in the filter") {
  // 2 * (8*128*14*14 = 200704) * (3*3*64 = 576)
  CHECK(flops_of(R"(
    x = Placeholder() f32[8,64,28,28]
    f = VariableV2() f32[3,3,64,128]
    y = Conv2D(x, f) f32[8,128,14,14] +data_format='NCHW'
  )")
            .count == 231211008.0);
  // Four groups of 16 channels: 2 * (8*28*28*64 = 401408) * (3*3*16 = 144)
  CHECK(flops_of(R"(
    x = Placeholder() f32[8,28,28,64]
    f = VariableV2() f32[3,3,16,64]
    y = Conv2D(x, f) f32[8,28,28,64] +data_format='NHWC'
  )")
            .count == 115605504.0);
}

TEST_CASE("both gradients of a convolution are as much as the convolution") {
  const std::string images = R"(
    sizes = Const() i32[4]
    f = VariableV2() f32[3,3,64,128]
    x = Placeholder() f32[8,28,28,64]
    dy = Placeholder() f32[8,14,14,128]
  )";
  // 2 * (8*14*14*128 = 200704) * (3*3*64 = 576)
  CHECK(flops_of(images + "g = Conv2DBackpropInput(sizes, f, dy) f32[8,28,28,64]").count ==
        231211008.0);
  CHECK(flops_of(images + "g = Conv2DBackpropFilter(x, sizes, dy) f32[3,3,64,128]").count ==
        231211008.0);
  CHECK(flops_of(images + "g = Conv2DBackpropInputV2(x, f, dy) f32[8,28,28,64]").count ==
        231211008.0);
  CHECK(flops_of(images + "g = Conv2DBackpropFilterV2(x, f, dy) f32[3,3,64,128]").count ==
        231211008.0);
}

TEST_CASE("a convolution of volumes and its gradients") {
  const std::string volumes = R"(
    sizes = Const() i32[5]
    f = VariableV2() f32[3,3,3,8,16]
    x = Placeholder() f32[2,4,6,6,8]
    dy = Placeholder() f32[2,4,6,6,16]
  )";
  // 2 * (2*4*6*6*16 = 4608) * (27*8 = 216) = 1990656
  CHECK(flops_of(volumes + "y = Conv3D(x, f) f32[2,4,6,6,16]").count == 1990656.0);
  CHECK(flops_of(volumes + "g = Conv3DBackpropInput(x, f, dy) f32[2,4,6,6,8]").count == 1990656.0);
  CHECK(flops_of(volumes + "g = Conv3DBackpropInputV2(sizes, f, dy) f32[2,4,6,6,8]").count ==
        1990656.0);
  CHECK(flops_of(volumes + "g = Conv3DBackpropFilter(x, f, dy) f32[3,3,3,8,16]").count ==
        1990656.0);
  CHECK(flops_of(volumes + "g = Conv3DBackpropFilterV2(x, sizes, dy) f32[3,3,3,8,16]").count ==
        1990656.0);
}

TEST_CASE("a depthwise convolution has a filter for each input channel") {
  const std::string images = R"(
    sizes = Const() i32[4]
    f = VariableV2() f32[3,3,32,2]
    x = Placeholder() f32[4,10,10,32]
    dy = Placeholder() f32[4,10,10,64]
  )";
  // 2 * (4*10*10*64 = 25600) * (3*3 = 9) = 460800
  CHECK(flops_of(images + "y = DepthwiseConv2dNative(x, f) f32[4,10,10,64]").count == 460800.0);
  CHECK(flops_of(images + "g = DepthwiseConv2dNativeBackpropInput(sizes, f, dy) f32[4,10,10,32]")
            .count == 460800.0);
  CHECK(flops_of(images + "g = DepthwiseConv2dNativeBackpropFilter(x, sizes, dy) f32[3,3,32,2]")
            .count == 460800.0);
}

TEST_CASE("a matrix product, transposed or not") {
  // 2 * 64 * 100 * 10
  CHECK(flops_of(R"(
    a = Placeholder() f32[64,100]
    b = VariableV2() f32[100,10]
    y = MatMul(a, b) f32[64,10]
  )")
            .count == 128000.0);
  // a^T b: 2 * 100 * 64 * 10
  CHECK(flops_of(R"(
    a = Placeholder() f32[64,100]
    b = Placeholder() f32[64,10]
    y = MatMul(a, b) f32[100,10] +transpose_a=true
  )")
            .count == 128000.0);
}

TEST_CASE("batches of matrix products") {
  for (const std::string type : {"BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"}) {
    const std::string types = type == "BatchMatMulV3" ? " +Ta=f32 +Tb=f32 +Tout=f32" : "";
    // 2 * (6*8) * 20 * 16 * 30 = 921600
    CHECK(flops_of("x = Placeholder() f32[6,8,20,16]\ny = Placeholder() f32[6,8,16,30]\n"
                   "z = " +
                   type + "(x, y) f32[6,8,20,30]" + types)
              .count == 921600.0);
    // Transposed: x as [16,20], y as [30,16].
    CHECK(flops_of("x = Placeholder() f32[6,8,16,20]\ny = Placeholder() f32[6,8,30,16]\n"
                   "z = " +
                   type + "(x, y) f32[6,8,20,30] +adj_x=true +adj_y=true" + types)
              .count == 921600.0);
  }
  // One matrix for the whole batch: 2 * 6 * 20 * 16 * 30
  CHECK(flops_of(R"(
    x = Placeholder() f32[16,20]
    y = Placeholder() f32[6,30,16]
    z = BatchMatMulV2(x, y) f32[6,20,30]
  )")
            .count == 115200.0);
}

TEST_CASE("a recurrent cell meets its weights once for each example") {
  const std::string inputs = R"(
    x = Placeholder() f32[32,10]
    c = Placeholder() f32[32,20]
    h = Placeholder() f32[32,20]
    w = VariableV2() f32[30,80]
    p = VariableV2() f32[20]
    b = VariableV2() f32[80]
    ru = VariableV2() f32[30,40]
    wc = VariableV2() f32[30,20]
  )";
  // 2 * 32 * (10+20) * (4*20) = 153600
  CHECK(flops_of(inputs + "y = LSTMBlockCell(x, c, h, w, p, p, p, b)").count == 153600.0);
  // 2 * 32 * (30*40 + 30*20 = 1800) = 115200; the gradient of the cell leaves that of the weights
  // to other ops.
  CHECK(flops_of(inputs + "y = GRUBlockCell(x, h, ru, wc, b, b)").count == 115200.0);
  CHECK(flops_of(inputs + "y = GRUBlockCellGrad(x, h, ru, wc, b, b, h, h, h, h)").count ==
        115200.0);
  // All its products are ops of their own.
  CHECK(flops_of(inputs + "y = LSTMBlockCellGrad(x, c, h, w, p, p, p, b, c, c, c, c, c, c, c, h)")
            .count == 0);
}

TEST_CASE("a recurrent block meets its weights once for each example and time step") {
  const std::string inputs = R"(
    n = Const() i64[]
    x = Placeholder() f32[7,32,10]
    h = Placeholder() f32[32,20]
    w = VariableV2() f32[30,80]
    p = VariableV2() f32[20]
    b = VariableV2() f32[80]
    s = Placeholder() f32[7,32,20]
  )";
  // 2 * (7*32 = 224) * (30*80 = 2400) = 1075200; backwards also for the gradient of the weights.
  CHECK(flops_of(inputs + "y = BlockLSTM(n, x, h, h, w, p, p, p, b)").count == 1075200.0);
  CHECK(flops_of(inputs + "y = BlockLSTMV2(n, x, h, h, w, p, p, p, b)").count == 1075200.0);
  CHECK(
      flops_of(inputs + "y = BlockLSTMGradV2(n, x, h, h, w, p, p, p, b, s, s, s, s, s, s, s, s, s)")
          .count == 2150400.0);
}

TEST_CASE("a recurrent net of cuDNN meets all its parameters") {
  const std::string inputs = R"(
    x = Placeholder() f32[7,32,10]
    h = Placeholder() f32[1,32,20]
    params = VariableV2() f32[2560]
    y = Placeholder() f32[7,32,20]
    r = Placeholder() f32[5]
    n = Placeholder() i32[32]
    host = Placeholder() i8[1]
  )";
  // 2 * (7*32 = 224) * 2560 = 1146880
  CHECK(flops_of(inputs + "o = CudnnRNN(x, h, h, params)").count == 1146880.0);
  CHECK(flops_of(inputs + "o = CudnnRNNV2(x, h, h, params)").count == 1146880.0);
  CHECK(flops_of(inputs + "o = CudnnRNNV3(x, h, h, params, n)").count == 1146880.0);
  CHECK(flops_of(inputs + "o = CudnnRNNBackprop(x, h, h, params, y, h, h, y, h, h, r)").count ==
        2293760.0);
  CHECK(flops_of(inputs + "o = CudnnRNNBackpropV2(x, h, h, params, y, h, h, y, h, h, r, host)")
            .count == 2293760.0);
  CHECK(flops_of(inputs + "o = CudnnRNNBackpropV3(x, h, h, params, n, y, h, h, y, h, h, r, host)")
            .count == 2293760.0);
}

TEST_CASE("arithmetic is done in the type of the factors, complex numbers in that of their parts") {
  CHECK(flops_of("a = Placeholder() f16[4,5]\nb = Placeholder() f16[5,6]\n"
                 "y = MatMul(a, b) f16[4,6]")
            .type == DataType::kHalf);
  CHECK(flops_of("a = Placeholder() i8[1,4,5]\nb = Placeholder() i8[1,5,6]\n"
                 "y = BatchMatMulV3(a, b) i32[1,4,6] +Ta=i8 +Tb=i8 +Tout=i32")
            .type == DataType::kInt8);
  // 8 * 4 * 5 * 6
  const OpFlops complex =
      flops_of("a = Placeholder() c64[4,5]\nb = Placeholder() c64[5,6]\ny = MatMul(a, b) c64[4,6]");
  CHECK(complex.count == 960.0);
  CHECK(complex.type == DataType::kFloat);
}

TEST_CASE("the batch counts as it does in bytes, also as a multiple") {
  const std::string layers = R"(
    x = Placeholder() f32[?,28,28,8]
    shape = Const() +dtype=i32 +value=i32[2]{-1,8}
    rows = Reshape(x, shape) +T=f32
    w = VariableV2() f32[8,5]
    y = MatMul(rows, w) +T=f32
  )";
  // 2 * (16 * 784) * 8 * 5
  CHECK(flops_of(layers, 16).count == 1003520.0);
  CHECK(flops_of(layers).count == 1003520.0 / 16);  // one example when nobody says
}

TEST_CASE("nothing is said where a rank or a dim that the rule needs is not known") {
  const OpFlops unknown = flops_of("a = Mystery() f32?\nb = Mystery() f32?\ny = MatMul(a, b)");
  CHECK(unknown.count == 0);
  CHECK(unknown.type == DataType::kInvalid);
  CHECK(flops_of("x = Placeholder() f32[4,8,8,3]\nf = Mystery() f32[3,3,3,?]\n"
                 "y = Conv2D(x, f) f32[4,8,8,?]")
            .count == 0);
  CHECK(flops_of("x = Placeholder() f32[4,0]\nf = Placeholder() f32[0,3]\n"
                 "y = MatMul(x, f) f32[4,3]")
            .count == 0);
  CHECK(flops_of("x = Placeholder() f32[4,4]\ny = MatMul(x) f32[4,4]").count == 0);
}

TEST_CASE("an op type without a rule has no flops") {
  CHECK(flops_of("x = Placeholder() f32[4,4]\ny = Relu(x) f32[4,4]").count == 0);
  CHECK(flops_of("x = Placeholder() f32[4,4]\ny = Mystery(x) f32[4,4]").count == 0);
}

}  // namespace tideline
