#include "core/analysis/structure/variable_roles.h"

#include <catch2/catch.hpp>

#include "core/analysis/structure/structure.h"
#include "tests/support/graph_text.h"

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

}  // namespace tideline
