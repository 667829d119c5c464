#include "core/analysis/conditions.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("an op runs with another when it hangs on no further branch") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    p = Placeholder()
    p_id = Identity(p)
    s = Switch(x, p)
    s2 = Switch(x, p_id)
    yes = Relu(s:1)
    no = Relu(s2:0)
    yes_too = Relu(s2:1)
    waits = NoOp(^yes)
    m = Merge(no, yes)
    after = Relu(m)
    q = Placeholder()
    inner = Switch(yes, q)
    deep = Relu(inner:0)
  )");
  const Graph& graph = document.graph;
  const Conditions conditions(graph);
  CHECK(conditions.any());
  const auto runs_with = [&](const char* op, const char* other) {
    return conditions.runs_with(conditions.of(test::op(graph, op)),
                                conditions.of(test::op(graph, other)));
  };
  CHECK(runs_with("x", "yes"));
  CHECK_FALSE(runs_with("yes", "x"));
  CHECK_FALSE(runs_with("yes", "no"));
  CHECK(runs_with("yes", "yes_too"));    // the same predicate, seen through Identity
  CHECK_FALSE(runs_with("waits", "x"));  // control edges spread deadness too
  CHECK(runs_with("waits", "yes"));
  CHECK(runs_with("after", "x"));  // a Merge needs only one side
  CHECK(runs_with("s", "x"));      // a Switch itself runs
  CHECK(runs_with("yes", "deep"));
  CHECK_FALSE(runs_with("deep", "yes"));
  const BranchSetId yes = conditions.of(test::op(graph, "yes"));
  CHECK(conditions.runs_with(yes, conditions.of(TensorId{test::op(graph, "s2"), 1})));
  CHECK_FALSE(conditions.runs_with(yes, conditions.of(TensorId{test::op(graph, "s2"), 0})));
}

TEST_CASE("a loop is no conditional, and a graph without either has none") {
  const io::Document loop = test::read_graph(R"(
    e = Enter()
    m = Merge(e, n)
    c = LoopCond(m)
    s = Switch(m, c)
    b = Relu(s:1)
    n = NextIteration(b)
    exit = Exit(s)
  )");
  CHECK_FALSE(Conditions(loop.graph).any());
  const io::Document plain = test::read_graph("a = Const()\n b = Relu(a)\n");
  const Conditions none(plain.graph);
  CHECK_FALSE(none.any());
  CHECK(none.runs_with(none.of(OpId{1}), none.of(OpId{0})));
}

TEST_CASE("conditionals nested beyond all measure are never said to run together") {
  std::string text = "x0 = Placeholder()\n";
  for (int i = 0; i < 100; ++i) {
    text += "p" + std::to_string(i) + " = Placeholder()\n";
    text += "s" + std::to_string(i) + " = Switch(x" + std::to_string(i) + ", p" +
            std::to_string(i) + ")\n";
    text += "x" + std::to_string(i + 1) + " = Relu(s" + std::to_string(i) + ":1)\n";
  }
  const io::Document document = test::read_graph(text);
  const Conditions conditions(document.graph);
  const auto of = [&](const char* name) { return conditions.of(test::op(document, name)); };
  CHECK(conditions.runs_with(of("x10"), of("x60")));
  CHECK_FALSE(conditions.runs_with(of("x100"), of("x100")));
  CHECK_FALSE(conditions.runs_with(of("x10"), of("x100")));
  CHECK(conditions.runs_with(of("x0"), of("x100")));
}

}  // namespace tideline
