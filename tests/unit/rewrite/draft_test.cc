#include "core/rewrite/lms/draft.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("a draft shows the graph with its copies and edges") {
  const io::Document document = test::read_graph(R"(
    a = Const()
    b = Relu(a)
    c = Add(b, a)
    d = Relu(c, ^b)
  )");
  const Consumers consumers(document.graph);
  Draft draft(document.graph, consumers);
  const OpId a{0}, b{1}, c{2}, d{3};
  const OpId out = draft.add_copy({a, 0});
  const OpId in = draft.add_copy({out, 0});
  draft.reroute(c, 1, {in, 0});
  CHECK(draft.add_control(in, b));
  CHECK_FALSE(draft.add_control(in, b));
  CHECK_FALSE(draft.add_control(d, b));  // there from the beginning

  using Ops = std::vector<OpId>;
  CHECK(draft.producers(c) == Ops{b, in});
  CHECK(draft.readers(a) == Ops{b, out});
  CHECK(draft.readers(in) == Ops{c});
  CHECK(draft.waiters(b) == Ops{d, in});
  CHECK(draft.awaited(in) == Ops{b});
  CHECK(draft.leads_to(a, d));
  CHECK(draft.leads_to(b, in));
  CHECK_FALSE(draft.leads_to(c, b));
  CHECK_FALSE(draft.leads_to(c, c));
}

TEST_CASE("with loops, ways over the back edge count") {
  const io::Document document = test::read_graph(R"(
    e = Enter()
    m = Merge(e, n)
    i = Identity(m)
    n = NextIteration(i)
  )");
  const Consumers consumers(document.graph);
  Draft draft(document.graph, consumers);
  CHECK(draft.leads_to(OpId{2}, OpId{1}));
  CHECK_FALSE(draft.leads_to(OpId{2}, OpId{0}));
}

TEST_CASE(
    "an edge into, out of or between loops crosses frames; copies are where their source is") {
  const io::Document document =
      test::read_graph(std::string(test::kLoop) + "y = Neg(exit) f32[4]\n");
  const Graph& graph = document.graph;
  const auto op = [&](const char* name) { return test::op(graph, name); };
  const Consumers consumers(graph);
  Draft draft(graph, consumers);
  const OpId inside = draft.add_copy({op("body"), 0});
  const OpId outside = draft.add_copy({op("exit"), 0});
  CHECK(draft.crosses_frames(op("y"), op("body")));
  CHECK(draft.crosses_frames(op("body"), op("x")));
  CHECK_FALSE(draft.crosses_frames(op("y"), op("x")));
  CHECK_FALSE(draft.crosses_frames(op("next"), op("switch")));
  CHECK_FALSE(draft.crosses_frames(op("enter"), op("x")));
  CHECK(draft.crosses_frames(inside, op("x")));
  CHECK(draft.crosses_frames(op("y"), inside));
  CHECK_FALSE(draft.crosses_frames(inside, op("switch")));
  CHECK_FALSE(draft.crosses_frames(outside, op("x")));
}

}  // namespace tideline
