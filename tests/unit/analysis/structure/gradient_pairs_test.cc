#include "core/analysis/structure/gradient_pairs.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

std::string pair_of(const io::Document& document, const Structure& structure, const char* name) {
  const OpId forward = structure.gradient_of[test::op(document, name).index()];
  return forward.valid() ? std::string(document.graph.name(forward)) : "none";
}

}  // namespace

TEST_CASE("generic ops of a backward pass belong to the forward ops that they mirror") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    w1 = VariableV2()
    w2 = VariableV2()
    a = MatMul(x, w1)
    h = Tanh(a)
    b = MatMul(h, w2)
    n = Neg(b)
    axes = Const()
    loss = Mean(n, axes)
    one = Const()
    dims = Const()
    seed = Fill(dims, one)
    d_reshape = Reshape(seed, dims)
    n_shape = Shape(n)
    d_tile = Tile(d_reshape, n_shape)
    count = Const()
    d_mean = RealDiv(d_tile, count)
    d_n = Neg(d_mean)
    d_h = MatMul(d_n, w2)
    d_w2 = MatMul(h, d_n)
    d_a = TanhGrad(h, d_h)
    d_w1 = MatMul(x, d_a)
    lr = Const()
    u1 = ApplyGradientDescent(w1, lr, d_w1)
    u2 = ApplyGradientDescent(w2, lr, d_w2)
  )");
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  const auto pair = [&](const char* name) { return pair_of(document, *structure, name); };
  for (const char* op : {"seed", "d_reshape", "n_shape", "d_tile", "count", "d_mean", "one"}) {
    INFO(op);
    CHECK(pair(op) == "loss");
  }
  CHECK(pair("d_n") == "n");
  CHECK(pair("d_h") == "b");
  CHECK(pair("d_w2") == "b");
  CHECK(pair("d_a") == "h");
  CHECK(pair("d_w1") == "a");
  CHECK(pair("a") == "none");
  CHECK(pair("u1") == "none");
  CHECK(pair("lr") == "none");
}

TEST_CASE("of two equal branches each gradient finds its own") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    y = Placeholder()
    w = VariableV2()
    p = MatMul(x, w)
    q = MatMul(y, w)
    r = Relu(p)
    s = Relu(q)
    sum = Add(r, s)
    axes = Const()
    loss = Mean(sum, axes)
    one = Const()
    dims = Const()
    seed = Fill(dims, one)
    d_mean = BroadcastTo(seed, dims)
    d_s = ReluGrad(d_mean, s)
    d_r = ReluGrad(d_mean, r)
    d_w1 = MatMul(x, d_r)
    d_w2 = MatMul(y, d_s)
    d_w = AddN(d_w1, d_w2)
    lr = Const()
    apply = ApplyGradientDescent(w, lr, d_w)
  )");
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  const auto pair = [&](const char* name) { return pair_of(document, *structure, name); };
  CHECK(pair("d_s") == "s");
  CHECK(pair("d_r") == "r");
  CHECK(pair("d_w1") == "p");
  CHECK(pair("d_w2") == "q");
}

}  // namespace tideline
