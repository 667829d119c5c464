#include "render/model/tensor_tree.h"

#include <catch2/catch.hpp>

namespace tideline::ui {
namespace {

using Texts = std::vector<std::string>;

TensorTree tree_of(const Texts& names) {
  return TensorTree(names, std::vector<Bytes>(names.size(), 10));
}

// "  label" by depth; a star marks a tensor.
Texts text_of(const TensorTree& tree, const std::vector<std::uint32_t>& rows) {
  Texts text;
  for (const std::uint32_t row : rows) {
    const TensorTree::Node& node = tree.nodes()[row];
    text.push_back(std::string(static_cast<std::size_t>(node.depth), ' ') + node.label +
                   (node.tensor == TensorTree::kNone ? "" : "*"));
  }
  return text;
}
Texts text_of(const TensorTree& tree) {
  return text_of(tree, tree.seen({}, {}));
}

}  // namespace

TEST_CASE("names become a tree of their parts", "[tensor_tree]") {
  const TensorTree tree = tree_of({"a/b/c", "a/b/d", "a/e", "f"});
  CHECK(text_of(tree) == Texts{"a", " b", "  c*", "  d*", " e*", "f*"});
  CHECK(tree.nodes()[0].tensor_count == 3);
  CHECK(tree.nodes()[0].bytes == 30);
  CHECK(tree.nodes()[0].end == 5);
  CHECK(tree.nodes()[1].end == 4);
}

TEST_CASE("parts with a single part below are one", "[tensor_tree]") {
  CHECK(text_of(tree_of({"net/dense/bias/VALUE", "net/dense/kernel/VALUE"})) ==
        Texts{"net/dense", " bias/VALUE*", " kernel/VALUE*"});
  CHECK(text_of(tree_of({"x/y/z"})) == Texts{"x/y/z*"});
}

TEST_CASE("a tensor may have others below it", "[tensor_tree]") {
  CHECK(text_of(tree_of({"v", "v/Adam", "v/Adam_1"})) == Texts{"v*", " Adam*", " Adam_1*"});
  CHECK(text_of(tree_of({"v", "v/Adam"})) == Texts{"v*", " Adam*"});
}

TEST_CASE("names that are no neighbours in the alphabet meet in the tree", "[tensor_tree]") {
  // '-' and '.' sort before '/'.
  CHECK(text_of(tree_of({"a", "a-1/k", "a.x", "a/k", "a/m"})) ==
        Texts{"a*", " k*", " m*", "a-1/k*", "a.x*"});
}

TEST_CASE("names without a slash are split at points", "[tensor_tree]") {
  CHECK(text_of(tree_of({"layers.0.bias", "layers.0.weight", "norm.weight"})) ==
        Texts{"layers.0", " bias*", " weight*", "norm.weight*"});
  CHECK(text_of(tree_of({"a.b/c"})) == Texts{"a.b/c*"});
}

TEST_CASE("odd names are themselves", "[tensor_tree]") {
  CHECK(text_of(tree_of({"/", "//x", "a//b", "a/"})).size() == 4);
  CHECK(text_of(tree_of({""})) == Texts{"*"});
  CHECK(tree_of({}).nodes().empty());
}

TEST_CASE("closed nodes hide what is below, wanted tensors show what is above", "[tensor_tree]") {
  const TensorTree tree = tree_of({"a/b/c", "a/b/d", "a/e", "f"});
  const std::vector<std::uint32_t> closed = {1};
  CHECK(text_of(tree, tree.seen(closed, {})) == Texts{"a", " b", " e*", "f*"});
  CHECK(text_of(tree, tree.seen(closed, {false, true, false, false})) == Texts{"a", " b", "  d*"});
  CHECK(tree.seen({}, std::vector<bool>(4, false)).empty());
}

TEST_CASE("a name with a hundred thousand parts is a tree like any other", "[tensor_tree]") {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "p/";
  const TensorTree tree = tree_of({deep + "a", deep + "b"});
  CHECK(tree.nodes().size() == 3);
}

}  // namespace tideline::ui
