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

namespace {

// A loop that hands its values on: v0 gets what v1 was, v1 what v2 was, and the last one something
// that is linear in nothing. What that means for v0 comes out after as many rounds.
GradientFlow flow_of_delay_line(int values, Diagnostics& diagnostics) {
  std::string text = "start = Const()\n";
  for (int i = 0; i < values; ++i) {
    text += fmt::format("enter{0} = Enter(start) +frame_name='loop'\n", i);
    text += fmt::format("merge{0} = Merge(enter{0}, next{0})\n", i);
  }
  text += "predicate = LoopCond(merge0)\n";
  for (int i = 0; i < values; ++i) {
    text += fmt::format("switch{0} = Switch(merge{0}, predicate)\n", i);
  }
  text += fmt::format("relu = Relu(switch{}:1)\n", values - 1);
  for (int i = 0; i < values; ++i) {
    const std::string from =
        i + 1 < values ? fmt::format("switch{}:1", i + 1) : std::string("relu");
    text += fmt::format("next{} = NextIteration({})\n", i, from);
  }
  const io::Document document = test::read_graph(text);
  const OpFactsTable facts = OpFactsTable::for_graph(document.graph);
  GradientFlow flow = find_gradient_flow(document.graph, facts, StackLinks(document.graph, facts));
  note_unsettled(document.graph, flow, diagnostics);
  return flow;
}

}  // namespace

TEST_CASE("a loop that hands on more values than are followed is said, not passed over") {
  Diagnostics none;
  CHECK_FALSE(flow_of_delay_line(kMostRounds - 4, none).unsettled.valid());
  CHECK(none.entries().empty());
  Diagnostics diagnostics;
  CHECK(flow_of_delay_line(kMostRounds + 4, diagnostics).unsettled.valid());
  REQUIRE(diagnostics.entries().size() == 1);
  CHECK(diagnostics.entries()[0].severity == Severity::kNotice);
  CHECK(diagnostics.entries()[0].kind ==
        "loops in which gradients were not followed to a fixed point");
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
