#include "core/analysis/loop_frames.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("a graph without loops has one frame") {
  const io::Document net = test::read_graph("a = Relu() f32[2]\nb = Relu() f32[2]");
  const LoopFrames frames(net.graph);
  CHECK(frames.input_frame(test::op(net, "a")) == 0);
  CHECK(frames.output_frame(test::op(net, "b")) == 0);
}

TEST_CASE("frames begin behind Enter and end before Exit, also when they are nested") {
  const io::Document net = test::read_graph(R"(
    apart = Relu() f32[2]
    x = Relu() f32[2]
    enter = Enter(x) f32[2]
    body = Relu(enter, ^constant) f32[2]
    constant = Const(^enter) f32[2]
    inner_enter = Enter(body) f32[2]
    inner = Relu(inner_enter) f32[2]
    inner_exit = Exit(inner) f32[2]
    result = Add(body, inner_exit) f32[2]
    exit = Exit(result) f32[2]
    y = Relu(exit) f32[2]
  )");
  const LoopFrames frames(net.graph);
  const auto in = [&](const char* name) { return frames.input_frame(test::op(net, name)); };
  const auto out = [&](const char* name) { return frames.output_frame(test::op(net, name)); };
  for (const char* name : {"apart", "x", "y"}) CHECK(in(name) == 0);
  CHECK(in("enter") == 0);
  CHECK(out("exit") == 0);
  CHECK(in("body") != 0);
  CHECK(out("enter") == in("body"));
  CHECK(in("constant") == in("body"));
  CHECK(in("inner") != in("body"));
  CHECK(in("inner") != 0);
  CHECK(out("inner_exit") == in("body"));
}

}  // namespace tideline
