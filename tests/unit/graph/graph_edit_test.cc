#include "core/graph/graph_edit.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Texts = std::vector<std::string>;

NewOp identity(std::string_view name, TensorId input) {
  NewOp op;
  op.name = name;
  op.type = "Identity";
  op.inputs = {input};
  op.attributes = {{"T", AttrValue::of_type(DataType::kFloat)}};
  return op;
}

Texts inputs_of(const Graph& graph, std::string_view name) {
  return graph.codec().input_texts(graph.encoded(test::op(graph, name)));
}

AttrValue attribute(const Graph& graph, std::string_view op, std::string_view key) {
  const auto value = graph.attribute(test::op(graph, op), key);
  REQUIRE(value);
  REQUIRE(*value);
  return **value;
}

constexpr std::string_view kOps = R"(
  a = Const() f32[2,3]
  b = Relu(a) @/gpu:0 f32[2,3] +alpha=3
  c = Add(a, b, ^a, ^b) f32[2,3]
)";

// What `change` leads to: nothing, or why it is refused.
template <typename Change>
std::string refused(const Change& change) {
  const io::Document document = test::read_graph(kOps);
  GraphPlan plan;
  change(document.graph, plan);
  const auto graph = apply(document.graph, plan);
  return graph ? "" : graph.error().message;
}

}  // namespace

TEST_CASE("an edit appends ops, reroutes inputs and adds control edges; the old graph stays") {
  const io::Document document = test::read_graph(R"(
    a = Const() f32[2,3]
    b = Relu(a) f32[2,3]
    c = Add(a, b, ^a) f32[2,3]
  )");
  const Graph& old = document.graph;
  GraphPlan plan;
  NewOp copy = identity("copy", {OpId{0}, 0});
  copy.device = "/cpu:0";
  const OpId added = plan.add_op(old, copy);
  CHECK(added == OpId{3});
  plan.rerouted = {{OpId{2}, 0, {OpId{0}, 0}, {added, 0}}};
  plan.control = {
      {OpId{2}, OpId{1}}, {OpId{2}, OpId{0}}, {added, OpId{1}}};  // 2 waits for 0 already
  const auto graph = apply(old, plan);
  REQUIRE(graph);

  CHECK(graph->op_count() == 4);
  CHECK(graph->inputs(OpId{2})[0] == TensorId{added, 0});
  CHECK(graph->inputs(OpId{2})[1] == TensorId{OpId{1}, 0});
  CHECK(graph->control_inputs(OpId{2}).size() == 2);
  CHECK(graph->find("copy") == added);
  CHECK(graph->device(added) == "/cpu:0");
  CHECK(graph->control_inputs(added)[0] == OpId{1});
  // Untouched ops share their bytes, changed ones say what the model says.
  CHECK(graph->encoded(OpId{1}).data() == old.encoded(OpId{1}).data());
  CHECK(inputs_of(*graph, "c") == Texts{"copy", "b", "^a", "^b"});
  CHECK(inputs_of(*graph, "copy") == Texts{"a", "^b"});
  CHECK(old.op_count() == 3);
  CHECK(old.inputs(OpId{2})[0] == TensorId{OpId{0}, 0});
}

TEST_CASE("a copy has the attributes of its original, byte for byte, but for the changed ones") {
  const io::Document document = test::read_graph(kOps);
  const Graph& old = document.graph;
  GraphPlan plan;
  const OpId plain = plan.add_copy(old, {OpId{1}, "again", "", {{OpId{0}, 0}}, {OpId{2}}});
  const OpId changed = plan.add_copy(old, {OpId{1}, "other", "/cpu:0", {{plain, 0}}});
  plan.set_attribute(old, changed, "alpha", AttrValue::of_int(4));
  plan.set_attribute(old, changed, "beta", AttrValue::of_bool(true));
  plan.remove_attribute(changed, "dtype");
  const auto graph = apply(old, plan);
  REQUIRE(graph);
  CHECK(graph->type(plain) == "Relu");
  CHECK(graph->device(plain).empty());
  CHECK(inputs_of(*graph, "again") == Texts{"a", "^c"});
  CHECK(graph->encoded(plain) ==
        test::encode_graph("again = Relu(a, ^c) f32[2,3] +alpha=3\n").substr(2));
  CHECK(attribute(*graph, "other", "alpha").integer == 4);
  CHECK(attribute(*graph, "other", "beta").boolean);
  CHECK_FALSE(graph->attribute(changed, "dtype").value());
  CHECK(attribute(*graph, "b", "alpha").integer == 3);
}

TEST_CASE("added ops may read ops that are added later, as loops do") {
  const io::Document document = test::read_graph(R"(
    x = Const() f32[2]
    m = Merge(x, n) f32[2]
    n = NextIteration(m) f32[2]
  )");
  const Graph& old = document.graph;
  GraphPlan plan;
  const OpId merge{3};
  const OpId next{4};
  CHECK(plan.add_copy(old, {OpId{1}, "m2", "", {{OpId{0}, 0}, {next, 0}}}) == merge);
  CHECK(plan.add_copy(old, {OpId{2}, "n2", "", {{merge, 0}}}) == next);
  const auto graph = apply(old, plan);
  REQUIRE(graph);
  CHECK(inputs_of(*graph, "m2") == Texts{"x", "n2"});
}

TEST_CASE("ops, control inputs and attributes are removed, devices and attributes changed") {
  const io::Document document = test::read_graph(kOps);
  const Graph& old = document.graph;
  GraphPlan plan;
  plan.rerouted = {{OpId{2}, 1, {OpId{1}, 0}, {OpId{0}, 0}}};
  plan.removed_control = {{OpId{2}, OpId{1}}};
  plan.removed = {OpId{1}};
  plan.set_device(OpId{2}, "/gpu:1");
  plan.set_attribute(old, OpId{2}, "alpha", AttrValue::of_int(5));
  plan.remove_attribute(OpId{0}, "dtype");
  const OpId added = plan.add_op(old, identity("id", {OpId{2}, 0}));
  CHECK(added == OpId{3});  // counted with the op that goes
  const auto graph = apply(old, plan);
  REQUIRE(graph);
  REQUIRE(graph->op_count() == 3);
  CHECK_FALSE(graph->find("b").valid());
  CHECK(graph->find("c") == OpId{1});
  CHECK(graph->find("id") == OpId{2});
  CHECK(graph->inputs(OpId{2})[0] == TensorId{OpId{1}, 0});
  CHECK(inputs_of(*graph, "c") == Texts{"a", "a", "^a"});
  CHECK(graph->device(OpId{1}) == "/gpu:1");
  CHECK(attribute(*graph, "c", "alpha").integer == 5);
  CHECK_FALSE(graph->attribute(OpId{0}, "dtype").value());
}

TEST_CASE("an edit that cannot be made makes nothing, and says why") {
  CHECK(refused([](const Graph&, GraphPlan&) {}).empty());
  CHECK(refused([](const Graph& graph, GraphPlan& plan) {
          plan.add_op(graph, identity("a", {OpId{0}, 0}));
        }) == "op 'a': the name is taken");
  CHECK(refused([](const Graph& graph, GraphPlan& plan) {
          plan.add_op(graph, identity("x:y", {OpId{0}, 0}));
        }) == "added op 'x:y' has a name with ':' in it");
  CHECK(refused([](const Graph& graph, GraphPlan& plan) {
          plan.add_op(graph, identity("x", {OpId{9}, 0}));
        }) == "added op 'x' reads an op that does not exist");
  CHECK(refused([](const Graph& graph, GraphPlan& plan) {
          plan.add_copy(graph, {OpId{7}, "x", "", {}});
        }) == "added op 'x' has no type; expected one, or an op of the graph to copy");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.rerouted = {{OpId{1}, 1, {OpId{0}, 0}, {OpId{0}, 0}}};
        }) == "op 'b': input 1 cannot be rerouted; it has 1 inputs");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.rerouted = {{OpId{1}, 0, {OpId{2}, 0}, {OpId{0}, 0}}};
        }) == "op 'b': input 0 reads 'a:0', not what the plan says; the plan is for another graph");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          const Reroute change{OpId{2}, 1, {OpId{1}, 0}, {OpId{0}, 0}};
          plan.rerouted = {change, change};
        }) == "op 'c': input 1 is rerouted twice");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.control = {{OpId{1}, OpId{9}}};
        }) == "op 'b' cannot wait for op number 9; expected ops that exist");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.removed_control = {{OpId{1}, OpId{0}}};
        }) == "op 'b' does not wait for op 'a'; expected one of its control inputs to remove");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.removed_control = {{OpId{2}, OpId{0}}, {OpId{2}, OpId{0}}};
        }) == "op 'c': the control input 'a' is removed twice");
}

TEST_CASE("what is removed is changed no more, read no more, and its name stays taken") {
  CHECK(refused([](const Graph&, GraphPlan& plan) { plan.removed = {OpId{2}}; }).empty());
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.removed = {OpId{2}, OpId{2}};
        }) == "op 'c' is removed twice");
  CHECK(refused([](const Graph&, GraphPlan& plan) { plan.removed = {OpId{1}}; }) ==
        "op 'c' needs op 'b', which is removed");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.removed = {OpId{2}};
          plan.set_device(OpId{2}, "/cpu:0");
        }) == "op 'c': the device changes, but it is removed");
  CHECK(refused([](const Graph& graph, GraphPlan& plan) {
          plan.removed = {OpId{2}};
          plan.add_op(graph, identity("c", {OpId{0}, 0}));
        }) == "op 'c': the name is taken");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.set_device(OpId{1}, "/cpu:0");
          plan.set_device(OpId{1}, "/cpu:1");
        }) == "op 'b': the device is changed twice");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.remove_attribute(OpId{1}, "alpha");
          plan.remove_attribute(OpId{1}, "alpha");
        }) == "op 'b': attribute 'alpha' is changed twice");
  CHECK(refused([](const Graph& graph, GraphPlan& plan) {
          const OpId added = plan.add_op(graph, identity("x", {OpId{0}, 0}));
          plan.remove_attribute(added, "T");
        }) == "op 'x': an attribute changes, but it is no op of the graph");
  CHECK(refused([](const Graph&, GraphPlan& plan) {
          plan.control = {{OpId{0}, OpId{2}}};
        }).starts_with("the plan breaks the graph: "));
}

TEST_CASE("copies of a plan grow apart and outlive each other") {
  const io::Document document = test::read_graph(kOps);
  auto first = std::make_unique<GraphPlan>();
  first->add_op(document.graph, identity("one", {OpId{0}, 0}));
  GraphPlan second = *first;
  first->add_op(document.graph, identity("two", {OpId{0}, 0}));
  second.add_op(document.graph, identity("three", {OpId{0}, 0}));
  first.reset();
  const auto graph = apply(document.graph, second);
  REQUIRE(graph);
  CHECK(graph->find("one").valid());
  CHECK(graph->find("three").valid());
  CHECK_FALSE(graph->find("two").valid());
}

}  // namespace tideline
