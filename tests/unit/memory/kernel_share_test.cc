#include "core/memory/kernel_share.h"

#include <catch2/catch.hpp>

#include "core/graph/op_facts.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

KernelShare share_of(const std::string& text, std::string_view name = "g") {
  const io::Document document = test::read_graph(text);
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  const OpId op = test::op(document, name);
  return kernel_share(document.graph, *tensors,
                      OpFactsTable::for_graph(document.graph).of(document.graph, op), op);
}

// A convolution or one of its gradients with a filter such as "3,3,64,128".
KernelShare convolution(const std::string& call, const std::string& filter,
                        const std::string& attributes = "") {
  const std::string outputs =
      call.find("Filter") == std::string::npos ? "f32?" : "f32[" + filter + "]";
  return share_of("s = Const() i32[4]\nf = VariableV2() f32[" + filter +
                  "]\nx = Placeholder() f32?\ng = " + call + " " + outputs + " " + attributes);
}

constexpr const char* kForward = "Conv2D(x, f)";
constexpr const char* kInput = "Conv2DBackpropInput(s, f, x)";
constexpr const char* kFilter = "Conv2DBackpropFilter(x, s, x)";

}  // namespace

TEST_CASE("a product reaches its share, an op without arithmetic has none") {
  const std::string text =
      "a = Placeholder() f32[4,4]\nb = MatMul(a, a) f32[4,4]\nc = Relu(b) f32[4,4]";
  CHECK(share_of(text, "b") == KernelShare{0.84, 0.81});
  CHECK(share_of(text, "c") == KernelShare());
}

TEST_CASE("the share of a convolution follows from window, stride and direction") {
  CHECK(convolution(kForward, "1,1,64,256").ordinary == 0.70);
  CHECK(convolution(kInput, "1,1,64,256").ordinary == 0.68);
  CHECK(convolution(kFilter, "1,1,64,256").ordinary == 0.45);
  CHECK(convolution(kInput, "1,1,64,256", "+strides=(1,2,2,1)").ordinary == 0.29);
  CHECK(convolution(kForward, "1,1,64,256", "+strides=(1,2,2,1)").ordinary == 0.70);
  CHECK(convolution(kForward, "3,3,64,64", "+strides=(1,1,1,1)").ordinary == 1.50);
  CHECK(convolution(kForward, "3,3,64,64", "+strides=(1,2,2,1)").ordinary == 0.82);
  CHECK(convolution(kForward, "3,3,64,64", "+dilations=(1,2,2,1)").ordinary == 0.82);
  CHECK(convolution(kForward, "5,5,64,64").ordinary == 0.82);
  CHECK(convolution(kInput, "5,5,64,64").ordinary == 0.60);
  CHECK(convolution(kFilter, "5,5,64,64").ordinary == 0.62);
}

TEST_CASE("with few channels the gradient of the filter does without Winograd's method") {
  CHECK(convolution(kFilter, "3,3,128,128").ordinary == 1.70);
  CHECK(convolution(kFilter, "3,3,64,128").ordinary == 0.57);
  CHECK(convolution(kFilter, "3,3,?,128").ordinary == 1.70);
  CHECK(convolution(kForward, "3,3,64,128").ordinary == 1.50);
}

TEST_CASE("channels that fill no tile take as long as those that do") {
  CHECK(convolution(kForward, "5,5,32,16").ordinary == Approx(0.82 / 2));
  CHECK(convolution(kForward, "5,5,16,48").ordinary == Approx(0.82 * 48 / 64));
  // The gradient of the input has the channels of the input.
  CHECK(convolution(kInput, "5,5,16,64").ordinary == Approx(0.60 / 2));
  CHECK(convolution(kForward, "5,5,32,16").tensor_cores == Approx(0.65 / 2));
}

TEST_CASE("volumes change their layout unless the window is one element") {
  const KernelShare volume = convolution("Conv3D(x, f)", "3,3,3,32,64");
  CHECK(volume.ordinary == 0.70);
  CHECK(volume.changes_layout);
  CHECK(convolution("Conv3DBackpropInputV2(s, f, x)", "3,3,3,32,64").ordinary == 0.50);
  CHECK(convolution("Conv3DBackpropFilterV2(x, s, x)", "3,3,3,32,64").ordinary == 0.50);
  CHECK(convolution("Conv3D(x, f)", "1,1,1,32,64") == KernelShare{0.84, 0.81});
  CHECK(convolution("Conv3D(x, f)", "1,1,1,32,64", "+strides=(1,2,2,2,1)").changes_layout);
  CHECK_FALSE(convolution(kForward, "3,3,64,64").changes_layout);
}

TEST_CASE("a filter of unknown shape takes no share away") {
  CHECK(share_of("f = Placeholder() f32?\nx = Placeholder() f32?\ng = Conv2D(x, f) f32?") ==
        KernelShare());
}

}  // namespace tideline
