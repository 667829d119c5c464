#include "core/analysis/structure/pass_finder.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// y = x w, loss = mean(relu(y)); relu is kept for its gradient, by the copies or without them.
std::string step_reading(const std::string& kept, const std::string& more) {
  return R"(
    x = Placeholder()
    w = VariableV2()
    w_read = Identity(w)
    y = MatMul(x, w_read)
    relu = Relu(y)
    axes = Const()
    loss = Mean(relu, axes)
    one = Const()
    dims = Const()
    seed = Fill(dims, one)
    shape = Shape(relu)
    d_relu = Tile(seed, shape)
    d_y = ReluGrad(d_relu, )" +
         kept + R"()
    d_w = MatMul(x, d_y)
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
    )" + more;
}

}  // namespace

TEST_CASE("a copy belongs to no pass and hides no phase") {
  const io::Document plain = test::read_graph(step_reading("relu", ""));
  const io::Document swapped = test::read_graph(step_reading("lms/swapin_relu_0", R"(
    lms/swapout_relu_0 = Identity(relu) @/cpu:0
    lms/swapin_relu_0 = Identity(lms/swapout_relu_0, ^seed) @/cpu:0
    summary = ScalarSummary(axes, loss, ^lms/swapout_relu_0)
  )"));
  const auto before = find_structure(plain.graph);
  const auto after = find_structure(swapped.graph);
  REQUIRE(before);
  REQUIRE(after);
  CHECK(after->copies.copy_count() == 2);
  for (const OpId op : plain.graph.ops()) {
    INFO(plain.graph.name(op));
    CHECK(after->phases.of(op) == before->phases.of(op));
  }
  for (const char* name : {"lms/swapout_relu_0", "lms/swapin_relu_0"}) {
    const OpId copy = test::op(swapped, name);
    CHECK(after->phases.of(copy) == Phase::kOther);
  }
}

}  // namespace tideline
