#include "core/analysis/structure/scopes.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/series.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

const Scope& scope(const ScopeTree& tree, std::string_view path) {
  for (const Scope& one : tree.scopes) {
    if (one.path == path && one.depth > 0) return one;
  }
  FAIL("no scope " << path);
  return tree.scopes.front();
}

}  // namespace

TEST_CASE("scopes are a tree with the ops of every subtree side by side") {
  const io::Document document = test::read_graph(R"(
    a/x = Const()
    b = Const()
    a/c/y = Const()
    a/c = Const()
    a/z = Const()
    ü/日/x = Const()
  )");
  const ScopeTree tree = find_scopes(document.graph);
  REQUIRE(tree.scopes.size() == 5);  // the root, a, a/c, ü, ü/日
  CHECK(tree.scopes[0].op_count == 6);
  CHECK(tree.scopes[0].own_ops == 1);
  const Scope& a = scope(tree, "a");
  CHECK(a.op_count == 4);
  CHECK(a.own_ops == 3);
  CHECK(a.child_count == 1);
  const auto below = tree.all_ops(a);
  CHECK(std::vector<OpId>(below.begin(), below.end()) ==
        std::vector<OpId>{OpId{0}, OpId{3}, OpId{4}, OpId{2}});
  CHECK(scope(tree, "a/c").name == "c");
  CHECK(tree.scope_of[3] == tree.scope_of[0]);  // the op a/c stands in a
  CHECK(scope(tree, "ü/日").depth == 2);
}

TEST_CASE("a name of slashes alone has a scope for each") {
  std::string name(2000, '/');
  const io::Document document = test::read_graph(name + "x = Const()\n" + name + "y = Const()\n");
  const ScopeTree tree = find_scopes(document.graph);
  CHECK(tree.scopes.size() == 2001);
  CHECK(tree.scopes.back().op_count == 2);
}

TEST_CASE("numbered siblings that are built alike are a series") {
  const io::Document document = test::read_graph(R"(
    net/block/conv = Conv2D()
    net/block/relu = Relu()
    net/block_1/relu = Relu()
    net/block_1/conv = Conv2D()
    net/block_10/inner/conv = Conv2D()
    net/block_10/relu = Relu()
    net/block_2/relu = Relu()
    net/other_1/x = Const()
    add = Add()
    add_1 = Add()
    add_2 = Mul()
    x99999999999999999999999 = Add()
  )");
  const ScopeTree tree = find_scopes(document.graph);
  const std::vector<Series> series = find_series(document.graph, tree);
  REQUIRE(series.size() == 2);
  CHECK(series[0].stem == "add");
  CHECK_FALSE(series[0].of_scopes());
  CHECK(series[0].members.size() == 2);
  CHECK(series[1].stem == "block");
  REQUIRE(series[1].members.size() == 3);
  CHECK(series[1].members[2].number == 10);
  CHECK(tree.scopes[series[1].parent].path == "net");
}

}  // namespace tideline
