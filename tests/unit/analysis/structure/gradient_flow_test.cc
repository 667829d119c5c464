#include "core/analysis/structure/gradient_flow.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/label_sets.h"
#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("the seed is what most gradients are linear in") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    w = VariableV2()
    half = Const()
    scaled = Mul(x, half)
    y = MatMul(scaled, w)
    r = Relu(y)
    one = Const()
    seed = Fill(one, one)
    d_half = Mul(seed, half)
    d_r = ReluGrad(d_half, r)
    d_w = MatMul(scaled, d_r)
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
    norm = L2Loss(d_w)
  )");
  const OpFactsTable facts = OpFactsTable::for_graph(document.graph);
  const StackLinks stacks(document.graph, facts);
  const GradientFlow flow = find_gradient_flow(document.graph, facts, stacks);
  CHECK(flow.seeds == std::vector<OpId>{test::op(document, "seed")});
  for (const char* op : {"seed", "d_half", "d_r", "d_w"}) {
    CHECK(flow.carries(test::op(document, op)));
  }
  for (const char* op : {"half", "scaled", "y", "r", "norm", "apply"}) {
    INFO(op);
    CHECK_FALSE(flow.carries(test::op(document, op)));
  }
}

TEST_CASE("sets of labels keep their most preferred members") {
  LabelSets sets;
  LabelSets::Id all = LabelSets::kNothing;
  for (std::uint32_t i = 0; i < 30; ++i) all = sets.any(all, sets.single(i));
  CHECK(sets.members(all).size() == LabelSets::kMostLabels);
  CHECK(sets.members(all).back() == 29);
  CHECK(sets.common(all, sets.single(29)) == sets.single(29));
  CHECK(sets.common(all, LabelSets::kEverything) == all);
  CHECK(sets.either(all, all) == LabelSets::kNothing);
  CHECK(sets.either(all, LabelSets::kEverything) == LabelSets::kEverything);
}

}  // namespace tideline
