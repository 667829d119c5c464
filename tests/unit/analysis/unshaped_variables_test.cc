#include "core/analysis/unshaped_variables.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {

TEST_CASE("variables that are passed in without a shape are found by what reads them") {
  const io::Document document = test::read_graph(R"(
    a = _Arg() +T=res
    b = _Arg() +T=res
    unread = _Arg() +T=res
    own = VarHandleOp() +shape=[4,4]
    r0 = ReadVariableOp(own) f32[4,4]
    r1 = ReadVariableOp(b) f32?
    r2 = ReadVariableOp(b) f32?
    r3 = ReadVariableOp(a) f32[3,?]
  )");
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  const UnshapedVariables found = find_unshaped_variables(document.graph, *tensors);
  CHECK(found.count == 2);
  CHECK(found.first == test::op(document, "a"));
  CHECK(found.first_read == test::op(document, "r3"));
}

TEST_CASE("a graph that records the shapes of its variables has none without") {
  const io::Document document = test::read_graph(R"(
    a = _Arg() +T=res
    r = ReadVariableOp(a) f32[4,4]
  )");
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  CHECK(find_unshaped_variables(document.graph, *tensors).count == 0);
}

}  // namespace tideline
