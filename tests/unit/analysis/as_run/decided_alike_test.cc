#include "core/analysis/as_run/decided_alike.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/analysis/structure/graph_facts.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// "p: cond cond_1 p; q: cond/cond q": what decides, and what it is called.
std::string names(std::string_view text) {
  const io::Document document = test::read_graph(text);
  const Graph& graph = document.graph;
  const auto tensors = TensorTable::build(graph, {});
  REQUIRE(tensors);
  const GraphFacts facts(graph);
  std::vector<std::string> said;
  for (const Conditional& one : facts.folding(*tensors)->conditionals) {
    said.push_back(fmt::format("{}: {}", graph.name(one.predicate.op), fmt::join(one.names, " ")));
  }
  return fmt::format("{}", fmt::join(said, "; "));
}

}  // namespace

TEST_CASE("conditionals are called by the scopes of their Merge ops and by the predicate",
          "[branch]") {
  CHECK(names(R"(
    p = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[4] +shape=[4]
    a/s = Switch(x, p) f32[4] f32[4]
    a/b/Merge = Merge(a/s, a/s:1) f32[4] i32[]
    q = Placeholder() bool[] +shape=[]
    s = Switch(x, q) f32[4] f32[4]
    m = Merge(s, s:1) f32[4] i32[]
  )") == "p: a/b p; q: m q");
}

TEST_CASE("the scopes of gradients are no names where tf.cond has named one", "[branch]") {
  CHECK(names(R"(
    p = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[4] +shape=[4]
    cond/pred_id = Identity(p) bool[]
    grad/x/s = Switch(x, cond/pred_id) f32[4] f32[4]
    grad/x/cond_grad = Merge(grad/x/s, grad/x/s:1) f32[4] i32[]
    cond/s = Switch(x, cond/pred_id) f32[4] f32[4]
    cond/Merge = Merge(cond/s, cond/s:1) f32[4] i32[]
  )") == "p: cond p");
}

TEST_CASE("of conditionals in one scope each is called by its Merge op", "[branch]") {
  CHECK(names(R"(
    p = Placeholder() bool[] +shape=[]
    q = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[4] +shape=[4]
    a/s = Switch(x, p) f32[4] f32[4]
    a/m = Merge(a/s, a/s:1) f32[4] i32[]
    a/t = Switch(x, q) f32[4] f32[4]
    a/n = Merge(a/t, a/t:1) f32[4] i32[]
  )") == "p: a/m p; q: a/n q");
}

TEST_CASE("a predicate is the same inside another conditional, and computed twice", "[branch]") {
  CHECK(names(R"(
    p = Placeholder() bool[] +shape=[]
    q = Placeholder() bool[] +shape=[]
    x = Placeholder() f32[4] +shape=[4]
    a/s = Switch(x, p) f32[4] f32[4]
    a/q = Switch(q, p) bool[] bool[]
    a/b/s = Switch(a/s:1, a/q:1) f32[4] f32[4]
    a/b/Merge = Merge(a/b/s, a/b/s:1) f32[4] i32[]
    a/Merge = Merge(a/s, a/b/Merge) f32[4] i32[]
    c/s = Switch(x, q) f32[4] f32[4]
    c/Merge = Merge(c/s, c/s:1) f32[4] i32[]
  )") == "p: a p; q: a/b a/q c q");
  CHECK(names(R"(
    k = Placeholder() i32[] +shape=[]
    n = Placeholder() i32[] +shape=[]
    x = Placeholder() f32[4] +shape=[4]
    less = Less(k, n) bool[]
    also = Less(k, n) bool[]
    a/s = Switch(x, less) f32[4] f32[4]
    a/Merge = Merge(a/s, a/s:1) f32[4] i32[]
    b/s = Switch(x, also) f32[4] f32[4]
    b/Merge = Merge(b/s, b/s:1) f32[4] i32[]
  )") == "less: a less b also");
}

TEST_CASE("the gradient of a loop reads the predicate of its round from a stack", "[branch]") {
  CHECK(names(R"(
    p = Placeholder() bool[] +shape=[]
    n = Const() +value=i32[]{9} +dtype=i32
    x = Placeholder() f32[4] +shape=[4]
    a/s = Switch(x, p) f32[4] f32[4]
    a/Merge = Merge(a/s, a/s:1) f32[4] i32[]
    stack = StackV2(n) +elem_type=bool
    push = StackPushV2(stack, p) bool[]
    pop = StackPopV2(stack, ^push) bool[]
    b/s = Switch(x, pop) f32[4] f32[4]
    b/Merge = Merge(b/s, b/s:1) f32[4] i32[]
  )") == "p: a p b pop");
}

}  // namespace tideline
