#include "core/graph/nearest_names.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

const char* const kOps = R"(
  x = Placeholder() f32[4]
  conv1/weights = VariableV2() f32[4]
  conv1/Relu = Relu(x) f32[4]
  conv2/Relu = Relu(conv1/Relu) f32[4]
  optimizer/gradients/conv2/Relu_grad/ReluGrad = ReluGrad(conv2/Relu, conv2/Relu) f32[4]
)";

}  // namespace

TEST_CASE("the names most like the wanted one come first, whatever their case") {
  const std::vector<std::string_view> names = {"conv1/Relu", "conv2/Relu", "dense/MatMul", "x"};
  CHECK(nearest_names(names, "conv1/relu") == std::vector<std::string>{"conv1/Relu", "conv2/Relu"});
  CHECK(nearest_names(names, "dense/Matmul_1") == std::vector<std::string>{"dense/MatMul"});
  CHECK(nearest_names(names, "loss").empty());
  CHECK(nearest_names(names, "conv", 1) == std::vector<std::string>{"conv1/Relu"});
  CHECK(nearest_names({}, "x").empty());
  CHECK(nearest_names(names, "").empty());
}

TEST_CASE("ops, scopes and types of a graph are suggested in messages") {
  const io::Document document = test::read_graph(kOps);
  CHECK(nearest_ops(document.graph, "conv3/Relu:0") == " (nearest: 'conv1/Relu', 'conv2/Relu')");
  CHECK(nearest_scopes(document.graph, "optimiser/gradient/") ==
        " (nearest: 'optimizer/gradients', 'optimizer/gradients/conv2', "
        "'optimizer/gradients/conv2/Relu_grad')");
  CHECK(nearest_types(document.graph, "ReLUGrad") == " (nearest: 'ReluGrad', 'Relu')");
  CHECK(nearest_types(document.graph, "LSTM").empty());
}

TEST_CASE("names of any bytes and lengths are compared") {
  const std::string huge(1 << 20, 'a');
  const std::vector<std::string_view> names = {huge, "\xff\x80", ""};
  CHECK(nearest_names(names, huge).size() == 1);
  CHECK(nearest_names(names, "\xff\x80") == std::vector<std::string>{"\xff\x80"});
}

}  // namespace tideline
