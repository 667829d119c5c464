#include "core/analysis/structure/loop_names.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("a loop is called by its frame, a later one of that name by its first Enter") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    e = Enter(x) +frame_name="loop"
    inner_e = Enter(e) +frame_name="loop"
    y = Relu(inner_e)
    other = Enter(x)
  )");
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  const WhileFrames& loops = structure->loops;
  REQUIRE(loops.frames.size() == 3);
  const Graph& graph = document.graph;
  CHECK(loop_name(graph, loops, 0) == "loop");
  CHECK(loop_name(graph, loops, 1) == "inner_e");
  CHECK(loop_name(graph, loops, 2) == "other");
  CHECK(find_loop(graph, loops, "loop") == 0);
  CHECK(find_loop(graph, loops, "y") == 1);
  CHECK(find_loop(graph, loops, "other") == 2);
  CHECK(find_loop(graph, loops, "x") == WhileFrame::kNone);
  CHECK(find_loop(graph, loops, "gone") == WhileFrame::kNone);
  CHECK(find_loop(graph, loops, "") == WhileFrame::kNone);
  CHECK(is_loop_within(loops, 1, 0));
  CHECK(is_loop_within(loops, 1, 1));
  CHECK_FALSE(is_loop_within(loops, 0, 1));
  CHECK_FALSE(is_loop_within(loops, WhileFrame::kNone, 0));
}

}  // namespace tideline
