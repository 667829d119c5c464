#include "core/analysis/as_run/folding.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/analysis/structure/graph_facts.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// "a constant; b = x; c = a": what is folded, in the order of the file.
std::string folded(std::string_view text) {
  const io::Document document = test::read_graph(text);
  const Graph& graph = document.graph;
  const auto tensors = TensorTable::build(graph, {});
  REQUIRE(tensors);
  const GraphFacts facts(graph);
  std::vector<std::string> said(graph.op_count());
  for (const FoldedOp& entry : find_folding(facts, *tensors).ops) {
    std::string& line = said[entry.op.index()];
    line = graph.name(entry.op);
    switch (entry.fold) {
      case Fold::kConstant: line += " constant"; break;
      case Fold::kPassedOn:
        line += fmt::format(" = {}", graph.tensor_name(graph.inputs(entry.op).front()));
        break;
      case Fold::kMerged: line += fmt::format(" = {}", graph.name(entry.twin)); break;
    }
  }
  std::erase(said, "");
  return fmt::format("{}", fmt::join(said, "; "));
}

}  // namespace

TEST_CASE("neither shape nor rank of what is fed is known before the step, but by its readers") {
  const std::string text = R"(
    x = Placeholder() f32[?,8] +shape=[?,8]
    s = Shape(x) i32[2]
    r = Rank(x) i32[]
    z = ZerosLike(x) f32[?,8]
  )";
  CHECK(folded(text).empty());
  CHECK(folded(text + R"(
    w = Const() f32[8,4] +dtype=f32 +value=f32[8,4]{}
    m = MatMul(x, w) f32[?,4]
  )") == "r constant");
}

TEST_CASE("shapes that follow from constants become constants, and what is made of them") {
  CHECK(folded(R"(
    x = MadeUp() f32[4,8]
    c = Const() +dtype=f32 +value=f32[4,8]{}
    s = Shape(c) i32[2]
    z = ZerosLike(c) f32[4,8]
    f = Fill(s, one) f32[4,8]
    one = Const() f32[] +dtype=f32 +value=f32[]{1}
    n = Size(c) i32[]
    m = Mul(n, n) i32[]
  )") == "s constant; z constant; f constant; n constant; m constant");
}

TEST_CASE("equal shapes need no sum of gradients, although nobody knows their size") {
  const std::string text = R"(
    x = Placeholder() f32[?,8] +shape=[?,8]
    w = Const() f32[8,8] +dtype=f32 +value=f32[8,8]{}
    m = MatMul(x, w) f32[?,8]
    a = Relu(m) f32[?,8]
    b = Exp(m) f32[?,8]
    y = Add(a, b) f32[?,8]
    sa = Shape(a) i32[2]
    sb = Shape(b) i32[2]
    args = BroadcastGradientArgs(sa, sb) i32[?] i32[?]
    g = MadeUp(y) f32[?,8]
    sum = Sum(g, args) f32?
    r = Reshape(sum, sa) f32?
  )";
  CHECK(folded(text) == "args constant; sum = g:0");
}

TEST_CASE("gradients of equal shapes are not summed over dims of 1 either") {
  const std::string text = R"(
    x = Placeholder() f32[?,8] +shape=[?,8]
    w = Const() f32[8,1] +dtype=f32 +value=f32[8,1]{}
    m = MatMul(x, w) f32[?,1]
    a = Relu(m) f32[?,1]
    sa = Shape(a) i32[2]
    sb = Shape(m) i32[2]
    one = Const() i32[2] +dtype=i32 +value=i32[2]{1,1}
    args = BroadcastGradientArgs(sa, sb) i32[?] i32[?]
    sum = Sum(a, args) f32?
    ones = BroadcastGradientArgs(one, one) i32[?] i32[?]
    more = Const() i32[1] +dtype=i32 +value=i32[1]{1}
    both = BroadcastGradientArgs(one, more) i32[?] i32[?]
    summed = Sum(a, both) f32?
  )";
  CHECK(folded(text) == "args constant; sum = a:0; ones constant; both constant");
}

TEST_CASE("dims of two fed values may differ, so both sums stay") {
  CHECK(folded(R"(
    x = Placeholder() f32[?,8] +shape=[?,8]
    y = Placeholder() f32[?,8] +shape=[?,8]
    sx = Shape(x) i32[2]
    sy = Shape(y) i32[2]
    args = BroadcastGradientArgs(sx, sy) i32[?] i32[?]
  )")
            .empty());
}

TEST_CASE("ops that do nothing are passed on") {
  CHECK(folded(R"(
    x = Placeholder() f32[?,8] +shape=[?,8]
    i = Identity(x) f32[?,8]
    s = StopGradient(i) f32[?,8]
    same = Cast(s) f32[?,8] +SrcT=f32 +DstT=f32
    half = Cast(s) f16[?,8] +SrcT=f32 +DstT=f16
    n = AddN(same) f32[?,8]
    m = AddN(same, same) f32[?,8]
  )") == "i = x:0; s = i:0; same = s:0; n = same:0");
}

TEST_CASE("a variable is read where it stands, and another device is another place") {
  CHECK(folded(R"(
    w = VariableV2() f32[4]
    read = Identity(w) f32[4]
    x = Placeholder() f32[4] +shape=[4]
    moved = Identity(x) @/cpu:0 f32[4]
  )")
            .empty());
}

TEST_CASE("a variable that is only read to be cast to a smaller type is cast where it stands") {
  const std::string text = R"(
    w = VariableV2() f32[4] +shape=[4] +dtype=f32
    read = Identity(w) f32[4]
    half = Cast(read) f16[4] +SrcT=f32 +DstT=f16
  )";
  CHECK(folded(text) == "read = w:0");
  CHECK(folded(text + "y = Relu(read) f32[4]").empty());
  CHECK(folded(text + "n = NoOp(^read)").empty());
  CHECK(folded(R"(
    w = VariableV2() f32[4] +shape=[4] +dtype=f32
    read = Identity(w) f32[4]
    double = Cast(read) f64[4] +SrcT=f32 +DstT=f64
  )")
            .empty());
}

TEST_CASE("equal ops on equal inputs are one, also with their inputs exchanged") {
  CHECK(folded(R"(
    x = Placeholder() f32[4] +shape=[4]
    y = Placeholder() f32[4] +shape=[4]
    a = Mul(x, y) f32[4]
    b = Mul(y, x) f32[4]
    c = Sub(x, y) f32[4]
    d = Sub(y, x) f32[4]
    e = Relu(a) f32[4]
    f = Relu(b) f32[4]
    g = Relu(b, ^c) f32[4]
  )") == "b = a; f = e");
}

TEST_CASE("what is random, has a state or runs code of its own is left alone") {
  CHECK(folded(R"(
    s = Const() i32[1] +dtype=i32 +value=i32[1]{4}
    a = RandomUniform(s) f32[4]
    b = RandomUniform(s) f32[4]
    c = MadeUp(s) f32[4]
    d = MadeUp(s) f32[4]
  )")
            .empty());
}

TEST_CASE("copies of swaps stay, although they only hand on") {
  CHECK(folded(R"(
    x = Placeholder() f32[4] +shape=[4]
    a = Relu(x) f32[4]
    lms/swapout_a_0 = Identity(a) @/cpu:0 f32[4]
    lms/swapin_a_0 = Identity(lms/swapout_a_0) @/cpu:0 f32[4]
    b = Exp(lms/swapin_a_0) f32[4]
  )")
            .empty());
}

}  // namespace tideline
