#include "core/analysis/unmeasured.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

Unmeasured find(const io::Document& document) {
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  const std::vector<bool> all(document.graph.op_count(), true);
  auto found = find_unmeasured(document.graph, *tensors, all);
  REQUIRE(found);
  return *std::move(found);
}

}  // namespace

TEST_CASE("a loop is named as its Enter ops name its frame, and lists its ops") {
  const auto document = test::read_graph(R"(
    zero = MadeUp() f32[2,4]
    enter = Enter(zero) f32[2,4] +frame_name='outer/while_context'
    merge = Merge(enter, next) f32[2,4] i32[]
    next = NextIteration(merge) f32[2,4]
    exit = Exit(merge) f32[2,4]
    alone = Enter(zero) f32[2,4] +frame_name='outer/while_context'
    after = Relu(exit) f32[2,4]
  )");
  const auto found = find(document);
  REQUIRE(found.loops.size() == 1);
  CHECK(found.loops[0].name == "outer/while_context");
  CHECK(document.graph.name(found.loops[0].first) == "enter");
  CHECK(found.loops[0].ops == 4);  // enter, merge, next, alone: an Exit leads out
}

TEST_CASE("loops without a frame are known by their scope, calls by their type") {
  const auto document = test::read_graph(R"(
    a/while/x = MadeUp() f32[2,4]
    a/while/y = MadeUp(a/while/x) f32[2,4]
    call = StatelessWhile(a/while/y) f32[2,4]
  )");
  const auto found = find(document);
  REQUIRE(found.loops.size() == 2);
  CHECK(found.loops[0].name == "a/while");
  CHECK(found.loops[0].ops == 2);
  CHECK(found.loops[1].name == "call");
}

TEST_CASE("tensors of unknown size are listed in file order, others are not") {
  const auto document = test::read_graph(R"(
    x = MadeUp() f32[?,4]
    y = MadeUp(x) f32[2,4]
    z = MadeUp(y) f32?
  )");
  const auto found = find(document);
  CHECK(found.loops.empty());
  REQUIRE(found.tensors.size() == 2);
  CHECK(document.graph.tensor_name(found.tensors[0]) == "x:0");
  CHECK(document.graph.tensor_name(found.tensors[1]) == "z:0");
}

}  // namespace tideline
