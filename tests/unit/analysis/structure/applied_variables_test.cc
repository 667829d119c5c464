#include "core/analysis/structure/applied_variables.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/graph_facts.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

std::string applied(std::string_view text) {
  const io::Document document = test::read_graph(text);
  const auto found = find_applied_variables(GraphFacts(document.graph));
  if (!found) return "ask";
  std::string names;
  for (const OpId op : *found) names += fmt::format("{} ", document.graph.name(op));
  return names;
}

std::string by_role(std::string_view text) {
  const io::Document document = test::read_graph(text);
  std::string names;
  const GraphFacts facts(document.graph);
  for (const VariableUse& use : facts.variables()) {
    if (use.role != VariableRole::kTrainable) continue;
    names += fmt::format("{} ", document.graph.name(use.variable));
  }
  return names;
}

const std::string kStep = R"(
  w = VariableV2() f32[3] +shape=[3]
  m = VariableV2() f32[3] +shape=[3]
  shape = Const() i32[1]
  first = Const() f32[3]
  zeros = Fill(shape, first) f32[3]
  set = Assign(w, zeros)
  clear = Assign(m, zeros)
  y = Square(w) f32[3]
  one = Const() f32[3]
  gradients/g = Mul(one, y) f32[3]
  rate = Const() f32[]
  step = ApplyMomentum(w, m, rate, gradients/g, rate)
)";

}  // namespace

TEST_CASE("what optimizer ops update is trainable where the other writes initialize") {
  CHECK(applied(kStep) == "w ");
  CHECK(by_role(kStep) == "w ");
  CHECK(applied("c = Const() f32[2]\nr = Relu(c) f32[2]") == "");
}

TEST_CASE("writes that may depend on a gradient take the passes to tell") {
  const std::string composed = kStep + R"(
    v = VariableV2() f32[3] +shape=[3]
    less = Mul(gradients/g, rate) f32[3]
    sub = AssignSub(v, less)
  )";
  CHECK(applied(composed) == "ask");
  const std::string average = kStep + R"(
    v = VariableV2() f32[3] +shape=[3]
    moved = Assign(v, y)
  )";
  CHECK(applied(average) == "ask");
  const std::string copied_after = kStep + R"(
    v = VariableV2() f32[3] +shape=[3]
    after = Identity(w, ^step) f32[3]
    copy = Assign(v, after)
  )";
  CHECK(applied(copied_after) == "ask");
}

TEST_CASE("a slot that is trained itself takes the passes to tell") {
  CHECK(applied(kStep + "\nalso = ApplyGradientDescent(m, rate, gradients/g)") == "ask");
}

TEST_CASE("calls, stacks and handles that are passed in take the passes to tell") {
  CHECK(applied(kStep + "\nh = Placeholder() res[]\nread = ReadVariableOp(h) f32[3]") == "ask");
  CHECK(applied(kStep + "\nl = Enter(one) f32[3]") == "ask");
  CHECK(applied(kStep + "\nx = Placeholder() f32[3]\nz = Relu(x) f32[3]") == "w ");
}

}  // namespace tideline
