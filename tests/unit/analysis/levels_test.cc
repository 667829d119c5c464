#include "core/analysis/levels.h"

#include <catch2/catch.hpp>

#include "core/analysis/edges.h"
#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("a level is one above the highest input, data or control") {
  const io::Document document = test::read_graph(R"(
    a = Const()
    b = Relu(a)
    c = Relu(b)
    d = Add(a, a, ^c)
    e = NoOp()
  )");
  const LevelMap levels = complete_levels(document.graph);
  CHECK(levels.level(OpId{0}) == 0);
  CHECK(levels.level(OpId{2}) == 2);
  CHECK(levels.level(OpId{3}) == 3);
  CHECK(levels.level(OpId{4}) == 0);
  CHECK(levels.count() == 4);
  REQUIRE(levels.ops(0).size() == 2);
  CHECK(levels.ops(0)[1] == OpId{4});
  CHECK(levels.ops(-1).empty());
  CHECK(levels.ops(4).empty());
}

TEST_CASE("the order of the file does not matter") {
  const io::Document document = test::read_graph(R"(
    d = Add(c, a)
    c = Relu(b)
    e = Relu(d)
    b = Relu(a)
    a = Const()
    f = Relu(a)
  )");
  const LevelMap levels = complete_levels(document.graph);
  CHECK(levels.level(test::op(document, "a")) == 0);
  CHECK(levels.level(test::op(document, "b")) == 1);
  CHECK(levels.level(test::op(document, "d")) == 3);
  CHECK(levels.level(test::op(document, "e")) == 4);
  CHECK(levels.level(test::op(document, "f")) == 1);
}

TEST_CASE("an empty graph has no levels") {
  const Graph graph;
  CHECK(complete_levels(graph).count() == 0);
  CHECK(compatible_levels(graph).count() == 0);
}

TEST_CASE("the compatible map follows Enter, Merge, Switch, Exit through a while loop") {
  const io::Document document = test::read_graph(R"(
    x = Const()
    w/while/Enter = Enter(x)
    w/while/Merge = Merge(w/while/Enter, w/while/Next)
    w/while/Less = Less(w/while/Merge)
    w/while/Cond = LoopCond(w/while/Less)
    w/while/Switch = Switch(w/while/Merge, w/while/Cond)
    w/while/Exit = Exit(w/while/Switch)
    w/while/Body = Relu(w/while/Switch:1)
    w/while/Next = NextIteration(w/while/Body)
    after = Relu(w/while/Exit)
    behind = Relu(w/while/Body)
    further = Relu(behind)
  )");
  const LevelMap compatible = compatible_levels(document.graph);
  const auto level = [&](const char* name) { return compatible.level(test::op(document, name)); };
  CHECK(level("w/while/Enter") == 1);
  CHECK(level("w/while/Merge") == 2);
  CHECK(level("w/while/Switch") == 3);
  CHECK(level("w/while/Exit") == 4);
  CHECK(level("after") == 5);
  CHECK(level("w/while/Body") == kNoLevel);
  CHECK(level("w/while/Cond") == kNoLevel);
  CHECK(level("behind") == kNoLevel);
  CHECK(level("further") == kNoLevel);
  CHECK(compatible.without_level() == 6);

  const LevelMap complete = complete_levels(document.graph);
  CHECK(complete.without_level() == 0);
  CHECK(complete.level(test::op(document, "w/while/Cond")) == 4);
  CHECK(complete.level(test::op(document, "w/while/Next")) == 7);
}

TEST_CASE("a loop under another name has no levels in the compatible map") {
  const io::Document document = test::read_graph(R"(
    e = Enter()
    m = Merge(e, n)
    n = NextIteration(m)
    x = Relu(m)
  )");
  const LevelMap levels = compatible_levels(document.graph);
  CHECK(levels.level(test::op(document, "e")) == 0);
  CHECK(levels.level(test::op(document, "m")) == kNoLevel);
  CHECK(levels.level(test::op(document, "x")) == kNoLevel);
}

TEST_CASE("edges count pairs of ops, and distances are counted over them") {
  const io::Document document = test::read_graph(R"(
    a = Const()
    b = Add(a, a, ^a)
    c = Add(b, a:1, ^a, ^a)
  )");
  const EdgeCounts edges = count_edges(document.graph);
  CHECK(edges.data == 3);  // a-b once, b-c, a-c
  CHECK(edges.control == 2);
  const auto histogram = distance_histogram(document.graph, compatible_levels(document.graph));
  CHECK(histogram == std::map<std::int32_t, std::int64_t>{{1, 2}, {2, 1}});
}

}  // namespace tideline
