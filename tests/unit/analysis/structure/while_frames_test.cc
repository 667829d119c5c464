#include "core/analysis/structure/while_frames.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

WhileFrames frames_of(const io::Document& document) {
  auto structure = find_structure(document.graph);
  REQUIRE(structure);
  return structure->loops;
}

}  // namespace

TEST_CASE("a loop holds what hangs on it, over control edges too, and ends at its Exit") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    e = Enter(x) +frame_name="loop" +parallel_iterations=7
    m = Merge(e, n)
    limit = Const(^m)
    c = Less(m, limit)
    cond = LoopCond(c)
    s = Switch(m, cond)
    i = Identity(s:1)
    inner_e = Enter(i) +frame_name="loop"
    inner_m = Merge(inner_e, inner_n)
    inner_c = LoopCond(inner_m)
    inner_s = Switch(inner_m, inner_c)
    inner_n = NextIteration(inner_s:1)
    inner_x = Exit(inner_s)
    n = NextIteration(inner_x)
    out = Exit(s)
    after = Relu(out)
  )");
  const WhileFrames loops = frames_of(document);
  REQUIRE(loops.frames.size() == 2);
  const WhileFrame& outer = loops.frames[0];
  const WhileFrame& inner = loops.frames[1];
  CHECK(outer.name == "loop");
  CHECK(outer.parallel_iterations == 7);
  CHECK(inner.parallel_iterations == 10);
  CHECK(outer.parent == WhileFrame::kNone);
  CHECK(inner.parent == 0);
  CHECK(inner.depth == 2);
  CHECK(outer.condition == test::op(document, "cond"));
  CHECK(inner.exits == std::vector<OpId>{test::op(document, "inner_x")});
  CHECK(outer.switches == std::vector<OpId>{test::op(document, "s")});
  const auto frame = [&](const char* name) {
    return loops.frame_of[test::op(document, name).index()];
  };
  CHECK(frame("limit") == 0);
  CHECK(frame("n") == 0);
  CHECK(frame("out") == 0);
  CHECK(frame("inner_e") == 1);
  CHECK(frame("inner_x") == 1);
  CHECK(frame("x") == WhileFrame::kNone);
  CHECK(frame("after") == WhileFrame::kNone);
  // e m limit c cond s i n out, and inner_e inner_m inner_c inner_s inner_n inner_x
  CHECK(outer.op_count == 9);
  CHECK(inner.op_count == 6);
  CHECK(loops.misfits == 0);
}

TEST_CASE("a backward loop is led back to the loop whose stacks it pops") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    size = Const()
    stack = StackV2(size)
    e = Enter(x) +frame_name="there"
    h = Enter(stack) +frame_name="there"
    push = StackPushV2(h, e)
    b = Enter(x) +frame_name="back"
    hb = Enter(stack) +frame_name="back"
    pop = StackPopV2(hb, ^b)
  )");
  const WhileFrames loops = frames_of(document);
  REQUIRE(loops.frames.size() == 2);
  CHECK(loops.frames[0].forward == WhileFrame::kNone);
  CHECK(loops.frames[1].forward == 0);
}

TEST_CASE("broken loops are counted and do no harm") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    out = Exit(x)
    e1 = Enter(x) +frame_name="a"
    e2 = Enter(x) +frame_name="b"
    both = Add(e1, e2)
    nameless = Enter()
    empty = Merge()
    n = NextIteration()
  )");
  const WhileFrames loops = frames_of(document);
  CHECK(loops.frames.size() == 3);
  CHECK(loops.misfits == 2);  // out, both
}

}  // namespace tideline
