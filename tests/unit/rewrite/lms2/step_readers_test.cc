#include "core/rewrite/lms2/step_readers.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms2/prepared.h"
#include "tests/support/graph_text.h"

namespace tideline::lms2 {
namespace {

// big is read far away by a gradient and, for its shape alone, by a Reshape that has nothing to do;
// the quotient is waited for by the group of gradients, but nobody reads it.
constexpr const char* kStep = R"(
  x = Placeholder() f32[64,32] +shape=[64,32]
  w = Const() f32[32,32] +dtype=f32 +value=f32[32,32]{}
  big = MatMul(x, w) f32[64,32]
  a = Relu(big) f32[64,32]
  b = Relu(a) f32[64,32]
  c = Relu(b) f32[64,32]
  d = Relu(c) f32[64,32]
  shape = Shape(big) i32[2]
  e = Reshape(d, shape) f32[64,32]
  grad = ReluGrad(e, big) f32[64,32]
  quotient = Mul(e, big) f32[64,32]
  group = NoOp(^grad, ^quotient)
  result = Identity(grad, ^group) f32[64,32]
  loss = Sum(result, axes) f32[]
  axes = Const() i32[2] +value=i32[2]{0,1}
)";

Lms2Options options(bool ignore_folded) {
  Lms2Options options;
  options.swapout_threshold = 3;
  options.swapin_ahead = 1;
  options.swapin_groupby = 0;
  options.ignore_folded = ignore_folded;
  return options;
}

SearchModel for_loss() {
  SearchModel model;
  model.fetches = {"loss"};
  return model;
}

std::vector<std::string> consumers(const io::Document& document, const LmsPlan& plan) {
  std::vector<std::string> names;
  for (const PlannedSwap& swap : plan.swaps) {
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      for (const OpId op : swap_in.consumers) names.emplace_back(document.graph.name(op));
    }
  }
  return names;
}

}  // namespace

TEST_CASE("an op that is folded, or that others only wait for, reads nothing") {
  const io::Document document = test::read_graph(kStep);
  const auto reads = step_readers(document.graph, document.collections, options(true), for_loss());
  REQUIRE(reads);
  const auto is_reader = [&](const char* name) {
    return (*reads)[test::op(document, name).index()];
  };
  CHECK(is_reader("a"));
  CHECK(is_reader("grad"));
  CHECK_FALSE(is_reader("shape"));
  CHECK_FALSE(is_reader("quotient"));
  CHECK_FALSE(is_reader("group"));
  CHECK(is_reader("result"));  // its readers read grad instead
}

TEST_CASE("only readers get copies when the others are left out") {
  const io::Document document = test::read_graph(kStep);
  const auto plan = [&](bool ignores) {
    const Lms2Options given = options(ignores);
    const auto prepared = Prepared::make(document.graph, document.collections, given);
    REQUIRE(prepared);
    if (ignores) {
      const auto reads = step_readers(document.graph, document.collections, given, for_loss());
      REQUIRE(reads);
      (*prepared)->leave_out_all_but(*reads);
    }
    Progress silent;
    auto made = (*prepared)->plan(silent);
    REQUIRE(made);
    return consumers(document, *made);
  };
  CHECK(plan(false) == std::vector<std::string>{"grad", "quotient"});
  CHECK(plan(true) == std::vector<std::string>{"grad"});
}

}  // namespace tideline::lms2
