#include <catch2/catch.hpp>

#include "tests/unit/graph/shapes/shapes_of.h"

namespace tideline {
namespace {

using test::ShapesOf;

// Arguments and results by their types.
Function function(std::string_view body) {
  Function made{test::read_graph(body).graph, {}, {}};
  for (const OpId op : made.body.ops()) {
    if (made.body.type(op) == "_Arg") made.arguments.push_back(op);
    if (made.body.type(op) == "_Retval") made.results.push_back(op);
  }
  return made;
}

FunctionLibrary library(std::initializer_list<std::pair<std::string, std::string>> bodies) {
  FunctionLibrary made;
  for (const auto& [name, body] : bodies) made.functions.emplace(name, function(body));
  return made;
}

}  // namespace

TEST_CASE("a call has the shapes of its body with the call's arguments") {
  const auto functions = library({{"product", R"(
      a = _Arg()
      v = _Arg()
      w = ReadVariableOp(v)
      y = MatMul(a, w)
      s = Shape(a)
      r = _Retval(y)
      r1 = _Retval(s)
  )"}});
  const ShapesOf shape(R"(
    x = Placeholder() +shape=[?,6]
    z = VariableV2() +shape=[4,6]
    v = VarHandleOp() +shape=[6,3]
    p = PartitionedCall(x, v) +f=&product
    q = StatefulPartitionedCall(z, v) +f=&product
    zero = Const() +value=i32[]{0}
    filled = Fill(q:1, zero)
    odd = PartitionedCall(x) +f=&nobody
    read = AddN(odd, p, q) +N=3
  )",
                       &functions);
  CHECK(shape("p") == "[B,3]");
  CHECK(shape("q") == "[4,3]");
  CHECK(shape("filled") == "[4,6]");
  CHECK(shape("odd") == "?");
}

TEST_CASE("branches keep what all have in common; loops what holds in every turn") {
  const auto functions = library({{"wide", "a = _Arg()\nr = _Retval(a)\n"},
                                  {"twice", R"(
      a = _Arg()
      one = Const() +value=i32[]{1}
      y = ConcatV2(a, a, one) +N=2
      r = _Retval(y)
  )"},
                                  {"body", R"(
      i = _Arg()
      a = _Arg()
      list = _Arg()
      zero = Const() +value=i32[]{0}
      grown = ConcatV2(a, a, zero) +N=2
      put = TensorListSetItem(list, i, grown)
      r0 = _Retval(i)
      r1 = _Retval(grown)
      r2 = _Retval(put)
  )"}});
  const ShapesOf shape(R"(
    x = VariableV2() +shape=[4,6]
    flag = Placeholder() +shape=[]
    both = StatelessIf(flag, x) +then_branch=&wide +else_branch=&twice
    zero = Const() +value=i32[]{0}
    five = Const() +value=i32[]{5}
    open = Const() +value=i32[]{-1}
    list = TensorListReserve(open, five)
    loop = StatelessWhile(zero, x, list) +body=&body
    all = TensorListStack(loop:2, open)
    read = Identity(both)
    end = Identity(loop:1)
  )",
                       &functions);
  CHECK(shape("both") == "[4,?]");
  CHECK(shape("loop") == "[]");
  CHECK(shape("loop:1") == "[?,6]");
  CHECK(shape("all") == "[5,?,6]");
}

TEST_CASE("recursion ends, and so do call trees that double at every level") {
  FunctionLibrary functions = library({{"self", R"(
      a = _Arg()
      y = PartitionedCall(a) +f=&self
      r = _Retval(y)
  )"}});
  functions.functions.emplace("f0", function("a = _Arg()\nr = _Retval(a)\n"));
  for (int i = 1; i < 20; ++i) {
    // Every level is asked with two shapes, so that no answer serves twice.
    const std::string before = "f" + std::to_string(i - 1);
    functions.functions.emplace(
        "f" + std::to_string(i),
        function("a = _Arg()\n zero = Const() +value=i32[]{0}\n w = ExpandDims(a, zero)\n"
                 "p = PartitionedCall(a) +f=&" +
                 before + "\n q = PartitionedCall(w) +f=&" + before + "\n r = _Retval(p)\n"));
  }
  const ShapesOf shape(R"(
    x = VariableV2() +shape=[4]
    y = PartitionedCall(x) +f=&self
    z = PartitionedCall(x) +f=&f19
    a = Identity(y)
    b = Identity(z)
  )",
                       &functions);
  CHECK(shape("y") == "?");
  CHECK(shape("z") == "[4]");
}

}  // namespace tideline
