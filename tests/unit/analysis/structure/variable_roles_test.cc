#include "core/analysis/structure/variable_roles.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/structure/structure.h"
#include "tests/support/function_texts.h"

namespace tideline {

TEST_CASE("an optimizer's op tells the variable, its slots and what all share") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    w = VariableV2()
    m = VariableV2()
    v = VariableV2()
    power1 = VariableV2()
    p1 = Identity(power1)
    power2 = VariableV2()
    p2 = Identity(power2)
    seen = VariableV2()
    zero = Const()
    w_init = Assign(w, zero)
    w_read = Identity(w)
    y = MatMul(x, w_read)
    r = Relu(y)
    scaled = Mul(r, seen)
    axes = Const()
    loss = Mean(scaled, axes)
    seed = Fill(axes, zero)
    d = ReluGrad(seed, r)
    d_w = MatMul(x, d)
    c = Const()
    apply = ApplyAdam(w, m, v, p1, p2, c, c, c, c, d_w)
  )");
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  const auto& uses = structure->variables;
  REQUIRE(uses.size() == 6);
  CHECK(uses[0].role == VariableRole::kTrainable);
  CHECK(uses[0].slots == std::vector<OpId>{OpId{2}, OpId{3}});
  CHECK(uses[0].assigns == std::vector<OpId>{test::op(document, "w_init")});
  CHECK(uses[0].updates == std::vector<OpId>{test::op(document, "apply")});
  CHECK(uses[0].reads == std::vector<OpId>{test::op(document, "w_read")});
  CHECK(uses[1].role == VariableRole::kSlot);
  CHECK(uses[1].slot_of == OpId{1});
  CHECK(uses[3].role == VariableRole::kShared);
  CHECK(uses[4].role == VariableRole::kShared);
  CHECK(uses[5].role == VariableRole::kModel);
}

TEST_CASE("conditionals list their switches, merges and branches") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    p = Placeholder()
    s = Switch(x, p)
    yes = Relu(s:1)
    no = Tanh(s:0)
    m = Merge(no, yes)
    call = PartitionedCall(x)
  )");
  const auto structure = find_structure(document.graph);
  REQUIRE(structure);
  REQUIRE(structure->conditionals.size() == 1);
  const Conditional& one = structure->conditionals[0];
  CHECK(one.predicate == TensorId{OpId{1}, 0});
  CHECK(one.switches == std::vector<OpId>{OpId{2}});
  CHECK(one.merges == std::vector<OpId>{OpId{5}});
  CHECK(one.branches[1] == std::vector<OpId>{OpId{3}});
  CHECK(one.branches[0] == std::vector<OpId>{OpId{4}});
  CHECK(structure->calls == std::vector<OpId>{OpId{6}});
}

namespace {

std::vector<VariableRole> roles_of(const io::Document& document, const FunctionLibrary& library) {
  std::vector<VariableRole> roles;
  const GraphFacts facts(document.graph, &library);
  for (const VariableUse& use : facts.variables()) roles.push_back(use.role);
  return roles;
}

// A dense layer, and its update in the branches of an If, as with loss scaling.
constexpr const char* kScaledStep = R"(
    x = Placeholder() f32[4,3]
    w = Placeholder() res[]
    m = Placeholder() res[]
    count = Placeholder() res[]
    scale = Placeholder() res[]
    read = ReadVariableOp(w) f32[3,3]
    factor = ReadVariableOp(scale) f32[]
    y = MatMul(x, read) f32[4,3]
    r = Relu(y) f32[4,3]
    axes = Const() i32[2]
    mean = Mean(r, axes) f32[]
    loss = Mul(mean, factor) f32[]
    shape = Const() i32[0]
    one = Const() f32[]
    seed = Fill(shape, one) f32[]
    spread = Tile(seed, axes) f32[4,3]
    d = ReluGrad(spread, r) f32[4,3]
    d_w = MatMul(x, d) f32[3,3]
    finite = IsFinite(d_w) bool[3,3]
    all = All(finite, axes) bool[]
    if = If(all, w, m, count, d_w) +then_branch=&then +else_branch=&else
    grow = If(all, scale) +then_branch=&grow +else_branch=&keep
)";

}  // namespace

TEST_CASE("an update in a branch tells trainable variables, slots and counters by position") {
  const FunctionLibrary library = test::functions({{"then", R"(
      w = _Arg() +T=res
      m = _Arg() +T=res
      count = _Arg() +T=res
      g = _Arg() +T=f32
      one = Const()
      add = AssignAddVariableOp(m, g)
      r = ReadVariableOp(m, ^add)
      sub = AssignSubVariableOp(w, r)
      next = AssignAddVariableOp(count, one)
    )"},
                                                   {"else", R"(
      w = _Arg() +T=res
      m = _Arg() +T=res
      count = _Arg() +T=res
      g = _Arg() +T=f32
    )"},
                                                   {"grow", R"(
      s = _Arg() +T=res
      two = Const()
      old = ReadVariableOp(s)
      new = Mul(old, two)
      set = AssignVariableOp(s, new)
    )"},
                                                   {"keep", "s = _Arg() +T=res\n"}});
  const io::Document document = test::read_graph(kScaledStep);
  // What only decides whether it grows makes no variable of the loss scale.
  CHECK(roles_of(document, library) ==
        std::vector<VariableRole>{VariableRole::kTrainable, VariableRole::kSlot,
                                  VariableRole::kShared, VariableRole::kModel});
  const GraphFacts facts(document.graph, &library);
  CHECK(facts.passes().phases().of(test::op(document, "if")) == Phase::kUpdate);
}

TEST_CASE("a step that is one call has the roles that its body gives") {
  const FunctionLibrary library = test::functions({{"step", R"(
      w = _Arg() +T=res
      m = _Arg() +T=res
      x = _Arg() +T=f32
      read = ReadVariableOp(w)
      y = MatMul(x, read)
      r = Relu(y)
      axes = Const()
      loss = Mean(r, axes)
      shape = Const()
      one = Const()
      seed = Fill(shape, one)
      spread = Tile(seed, axes)
      d = ReluGrad(spread, r)
      d_w = MatMul(x, d)
      add = AssignAddVariableOp(m, d_w)
      moved = ReadVariableOp(m, ^add)
      sub = AssignSubVariableOp(w, moved)
    )"}});
  const io::Document document = test::read_graph(R"(
    x = Placeholder()
    m = Placeholder()
    w = Placeholder()
    call = StatefulPartitionedCall(w, m, x) +f=&step
  )");
  CHECK(roles_of(document, library) ==
        std::vector<VariableRole>{VariableRole::kSlot, VariableRole::kTrainable});
}

TEST_CASE("zeros that go into a call of the forward pass are no seed") {
  const io::Document document = test::read_graph(R"(
    x = Placeholder() f32[4,3]
    w = Placeholder() res[]
    k = Placeholder() res[]
    dims = Const() i32[2]
    nothing = Const() f32[] +value=f32[]{0}
    zeros = Fill(dims, nothing) f32[4,3]
    weights = ReadVariableOp(k) f32[3,3]
    rnn = PartitionedCall(x, zeros, weights) f32[4,3] +f=&forward
    read = ReadVariableOp(w) f32[3,3]
    y = MatMul(rnn, read) f32[4,3]
    r = Relu(y) f32[4,3]
    axes = Const() i32[2]
    loss = Mean(r, axes) f32[]
    shape = Const() i32[0]
    one = Const() f32[] +value=f32[]{1}
    seed = Fill(shape, one) f32[]
    spread = Tile(seed, axes) f32[4,3]
    d = ReluGrad(spread, r) f32[4,3]
    d_w = MatMul(rnn, d) f32[3,3]
    d_y = MatMul(d, read) f32[4,3]
    back = PartitionedCall(d_y, zeros, rnn) f32[3,3] +f=&backward
    set_w = AssignSubVariableOp(w, d_w)
    set_k = AssignSubVariableOp(k, back)
  )");
  const FunctionLibrary none;
  CHECK(roles_of(document, none) ==
        std::vector<VariableRole>{VariableRole::kTrainable, VariableRole::kTrainable});
  const GraphFacts facts(document.graph);
  CHECK(facts.passes().phases().of(test::op(document, "rnn")) == Phase::kForward);
  CHECK(facts.passes().phases().of(test::op(document, "back")) == Phase::kBackward);
}

}  // namespace tideline
