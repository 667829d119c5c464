#include "render/view/scopes_loop.h"

#include <catch2/catch.hpp>

#include "render/view/scope_layout.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

// A loop within a loop, in scopes of their own; series of which members are in the loop.
constexpr const char* kLoops = R"(
  x = Placeholder() f32[4]
  l_1 = Relu(x) f32[4]
  l_2 = Relu(x) f32[4]
  rnn/e = Enter(x) f32[4] +frame_name='outer'
  rnn/m = Merge(rnn/e, rnn/n) f32[4] i32[]
  rnn/flag = Const(^rnn/m) +dtype=bool
  rnn/c = LoopCond(rnn/flag) +T=bool
  rnn/s = Switch(rnn/m, rnn/c) f32[4] f32[4]
  l_3 = Relu(rnn/s:1) f32[4]
  l_4 = Relu(rnn/s:1) f32[4]
  l_5 = Relu(rnn/s:1) f32[4]
  rnn/in/e = Enter(rnn/s:1) f32[4] +frame_name='inner'
  rnn/in/m = Merge(rnn/in/e, rnn/in/n) f32[4] i32[]
  rnn/in/flag = Const(^rnn/in/m) +dtype=bool
  rnn/in/c = LoopCond(rnn/in/flag) +T=bool
  rnn/in/s = Switch(rnn/in/m, rnn/in/c) f32[4] f32[4]
  rnn/in/body = Relu(rnn/in/s:1) f32[4]
  rnn/in/n = NextIteration(rnn/in/body) f32[4]
  rnn/in/x = Exit(rnn/in/s) f32[4]
  rnn/n = NextIteration(rnn/in/x) f32[4]
  rnn/x = Exit(rnn/s) f32[4]
  y = Relu(rnn/x) f32[4]
)";

struct Shown {
  test::SnapshotPtr snapshot = test::snapshot_of(kLoops);
  Scene scene = snapshot->scene();

  [[nodiscard]] OpId op(const char* name) const { return test::op(*scene.graph, name); }
};

std::vector<std::string> paths_of(const Scene& scene, const ScopeBoxes& boxes) {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < boxes.boxes.size(); ++i)
    paths.emplace_back(boxes.path(scene, boxes.boxes[i]));
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("of a loop only the ops that run in it have boxes, those of inner loops too") {
  const Shown shown;
  CHECK(find_scope_boxes(shown.scene).find("l_[1-5]"));
  const ScopeBoxes outer = find_scope_boxes(shown.scene, "outer");
  CHECK(outer.boxes[0].op_count == 18);
  CHECK_FALSE(outer.find("l_[1-5]"));  // three of five are no series
  const ScopeBoxes inner = find_scope_boxes(shown.scene, "inner");
  CHECK(paths_of(shown.scene, inner) ==
        std::vector<std::string>{"rnn", "rnn/in", "rnn/in/body", "rnn/in/c", "rnn/in/e",
                                 "rnn/in/flag", "rnn/in/m", "rnn/in/n", "rnn/in/s", "rnn/in/x"});
  CHECK(inner.boxes[0].bytes == 4 * 4 * 7 + 1 + 1 + 4);  // with flag, LoopCond and an index
  CHECK(open_at_first(shown.scene, inner, "inner") == OpenBoxes{"rnn", "rnn/in"});
  CHECK(open_at_first(shown.scene, outer, "outer") == OpenBoxes{"rnn"});
  CHECK(open_at_first(shown.scene, outer, "gone").empty());
  CHECK(find_scope_boxes(shown.scene, "gone").boxes[0].op_count == 22);
}

TEST_CASE("edges of a loop are those between its ops") {
  const Shown shown;
  const ScopeBoxes boxes = find_scope_boxes(shown.scene, "inner");
  const OpenBoxes open = open_at_first(shown.scene, boxes, "inner");
  const ScopeLayout layout = layout_scopes(shown.scene, boxes, {open, false, {}, "inner"});
  CHECK(placed_of_op(layout, shown.op("x")) == 0);
  CHECK(placed_of_op(layout, shown.op("rnn/n")) == 0);
  CHECK(layout.edges.size() == 9);
  for (const ScopeEdge& edge : layout.edges) {
    CHECK(edge.from != 0);
    CHECK(edge.to != 0);
  }
}

TEST_CASE("an op leads into its loop unless that is shown, a scope into the next ones") {
  const Shown shown;
  const auto names = [](auto... all) { return std::vector<std::string>{all...}; };
  CHECK(loop_to_enter(shown.scene, "", shown.op("rnn/in/body")) == "inner");
  CHECK(loop_to_enter(shown.scene, "outer", shown.op("rnn/in/body")) == "inner");
  CHECK(loop_to_enter(shown.scene, "inner", shown.op("rnn/in/body")).empty());
  CHECK(loop_to_enter(shown.scene, "", shown.op("x")).empty());
  const ScopeBoxes boxes = find_scope_boxes(shown.scene);
  const auto within = [&](std::string_view loop, const char* path) {
    return loops_to_enter(shown.scene, loop, boxes.ops_of(boxes.boxes[*boxes.find(path)]));
  };
  CHECK(within("", "rnn") == names("outer"));
  CHECK(within("outer", "rnn") == names("inner"));
  CHECK(within("inner", "rnn").empty());
  CHECK(within("", "rnn/in") == names("outer"));  // one after the other
  CHECK(loops_around(shown.scene, "inner") == names("outer", "inner"));
  CHECK(loops_around(shown.scene, "gone").empty());
}

TEST_CASE("ops of the loop itself are told from those of its body") {
  const Shown shown;
  for (const char* name : {"rnn/e", "rnn/m", "rnn/c", "rnn/s", "rnn/n", "rnn/x", "rnn/in/e"})
    CHECK(is_loop_op(shown.scene, shown.op(name)));
  for (const char* name : {"x", "l_3", "rnn/in/body", "rnn/flag"})
    CHECK_FALSE(is_loop_op(shown.scene, shown.op(name)));
}

TEST_CASE("a loop is found by its frame or an op, else those that there are are named") {
  const Shown shown;
  CHECK(*loop_called(shown.scene, "outer") == "outer");
  CHECK(*loop_called(shown.scene, "rnn/in/body") == "inner");
  const auto none = loop_called(shown.scene, "gone");
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "there is no loop 'gone'; expected one of 'outer', 'inner'");
  const auto snapshot = test::snapshot_of("x = Placeholder() f32[4]");
  const auto bare = loop_called(snapshot->scene(), "gone");
  REQUIRE_FALSE(bare);
  CHECK(bare.error().message ==
        "there is no loop 'gone'; expected a graph with Enter and Exit ops");
}

}  // namespace tideline::render
