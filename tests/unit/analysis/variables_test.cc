#include "core/analysis/variables.h"

#include <catch2/catch.hpp>

#include "core/analysis/summary.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr std::string_view kTraining = R"(
  v = VariableV2() f32[3,3] +shape=[3,3]
  slot = VariableV2() f32[3,3] +shape=[3,3]
  frozen = VariableV2() f32[9] +shape=[9]
  handle = VarHandleOp() res[] +shape=[5]
  summed = VariableV2() f32[7] +shape=[7]
  counted = VariableV2() f32[8] +shape=[8]
  one = Const()
  id = Identity(v)
  gradients/g = Relu(id)
  scaled = Mul(gradients/g)
  update = ApplyMomentum(id, slot)
  update2 = ResourceApplyAdam(handle)
  sub = AssignSub(summed, scaled)
  count = AssignSub(counted, one)
)";

}  // namespace

TEST_CASE("without collections the trainable variables are those that gradients update") {
  const io::Document document = test::read_graph(kTraining);
  const auto variables = find_variables(GraphFacts(document.graph), {});
  REQUIRE(variables);
  std::vector<std::string> names;
  for (const OpId op : variables->trainable) names.emplace_back(document.graph.name(op));
  CHECK(names == std::vector<std::string>{"v", "handle"});
  CHECK(variables->all.size() == 6);
}

TEST_CASE("with a collection it says which variables are trainable") {
  const io::Document document = test::read_graph(kTraining);
  Collections collections;
  collections.entries["trainable_variables"] = {"bytes", 1};
  collections.variables["trainable_variables"] = {{"frozen:0", "", false}};
  const auto variables = find_variables(GraphFacts(document.graph), collections);
  REQUIRE(variables);
  REQUIRE(variables->trainable.size() == 1);
  CHECK(document.graph.name(variables->trainable[0]) == "frozen");
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  const auto values = VariableValues::find(GraphFacts(document.graph), *tensors);
  REQUIRE(values);
  const auto bytes = values->bytes(variables->trainable);
  REQUIRE(bytes);
  CHECK(*bytes == 36);
  collections.variables["trainable_variables"] = {{"nobody:0", "", false}};
  const auto missing = find_variables(GraphFacts(document.graph), collections);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("'nobody:0'") != std::string::npos);
}

TEST_CASE("the largest operation is an active device op, the first of equal ones") {
  const io::Document document = test::read_graph(R"(
    a = Const() f32[10]
    host = Relu(a) @/device:CPU:0 f32[1000]
    b = Relu(a) f32[20]
    c = Relu(a) f32[20]
  )");
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  const auto summary = summarize(GraphFacts(document.graph), {}, *tensors);
  REQUIRE(summary);
  CHECK(document.graph.name(summary->largest_operation) == "b");
  CHECK(summary->largest_operation_bytes == 40 + 80);
}

}  // namespace tideline
