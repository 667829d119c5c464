#include "core/rewrite/sections/gradient_owners.h"

#include <catch2/catch.hpp>

#include "tests/support/gradient_owners.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

class Owners {
 public:
  explicit Owners(const char* text)
      : document_(test::read_graph(text)), owners_(test::gradient_owners(document_.graph)) {}

  std::string of(const char* name) const {
    const OpId forward = owners_[test::op(document_, name).index()];
    return forward.valid() ? std::string(document_.graph.name(forward)) : "none";
  }

 private:
  io::Document document_;
  std::vector<OpId> owners_;
};

}  // namespace

TEST_CASE("generic ops of a backward pass belong to the forward ops that they mirror") {
  const Owners owners(R"(
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
  for (const char* op : {"seed", "d_reshape", "n_shape", "d_tile", "count", "d_mean", "one"}) {
    INFO(op);
    CHECK(owners.of(op) == "loss");
  }
  CHECK(owners.of("d_n") == "n");
  CHECK(owners.of("d_h") == "b");
  CHECK(owners.of("d_w2") == "b");
  CHECK(owners.of("d_a") == "h");
  CHECK(owners.of("d_w1") == "a");
  CHECK(owners.of("a") == "none");
  CHECK(owners.of("u1") == "none");
  CHECK(owners.of("lr") == "none");
}

TEST_CASE("of two equal branches each gradient finds its own") {
  const Owners owners(R"(
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
  CHECK(owners.of("d_s") == "s");
  CHECK(owners.of("d_r") == "r");
  CHECK(owners.of("d_w1") == "p");
  CHECK(owners.of("d_w2") == "q");
}

}  // namespace tideline
