#include "core/rewrite/plan/plan_json_reader.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/graph/graph_edit.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan/attribute_json.h"
#include "core/rewrite/plan/plan_json.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_values.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;

const char* const kNet = R"(
x = Placeholder() +dtype=f32 +shape=[8,4]
a = Relu(x) f32[8,4]
b = Relu(a) f32[8,4]
c = Relu(b) f32[8,4]
d = Relu(c) f32[8,4]
e = Add(d, a) f32[8,4]
)";

std::string json_of(const io::Document& net, LmsPlan& plan) {
  Progress silent;
  Lms2Options options;
  options.swapout_threshold = 1;
  options.swapin_ahead = 1;
  options.swapin_groupby = 0;
  auto planned = plan_lms2(net.graph, {}, options, silent);
  REQUIRE(planned);
  plan = *std::move(planned);
  return test::plan_json_of(net.graph, plan, options, {"tideline", "net.pb", "digest", ""});
}

Result<GraphPlan> read(const std::string& json, const Graph& graph) {
  TIDELINE_TRY(const PlanFile file, PlanFile::parse("p.json", json));
  return file.read(0, graph);
}

std::string message(const std::string& json) {
  const auto plan = read(json, test::read_graph(kNet).graph);
  REQUIRE_FALSE(plan);
  CHECK_THAT(plan.error().message, Catch::Matchers::StartsWith("p.json: "));
  return plan.error().message.substr(8);
}

std::string plan_with(const std::string& added, const std::string& rerouted = "",
                      const std::string& control = "", const std::string& more = "") {
  return fmt::format(R"({{"schema": "tideline.plan/1", "kind": "lms", "added": [{}],
                         "rerouted": [{}], "control": [{}]{}}})",
                     added, rerouted, control, more);
}
std::string changes(const std::string& members) {
  return plan_with("", "", "", ", " + members);
}

void check_same(const Graph& a, const Graph& b) {
  REQUIRE(a.op_count() == b.op_count());
  for (const OpId op : a.ops()) CHECK(a.encoded(op) == b.encoded(op));
}

const std::string kCopy =
    R"({"name": "s", "op": "Identity", "inputs": ["a:0"], "attrs": {"T": "DT_FLOAT"}})";

}  // namespace

TEST_CASE("a plan that was written and read gives the same graph", "[rewrite][plan]") {
  const io::Document net = test::read_graph(kNet);
  LmsPlan plan;
  const std::string json = json_of(net, plan);
  const auto file = PlanFile::parse("p.json", json);
  REQUIRE(file);
  REQUIRE_FALSE(plan.edit.added.empty());
  REQUIRE_FALSE(plan.edit.control.empty());
  CHECK(file->size() == 1);
  CHECK(file->kind() == "lms");
  CHECK(file->check_graph(0, "digest", "", "net.pb"));
  CHECK_THAT(file->check_graph(0, "other", "", "net.pb").error().message,
             Contains("p.json: is a plan for another graph than net.pb"));
  CHECK_FALSE(file->check_graph(0, "digest", "f", "net.pb"));
  const auto again = file->read(0, net.graph);
  REQUIRE(again);
  const auto wanted = apply(net.graph, plan.edit);
  const auto rewritten = apply(net.graph, *again);
  REQUIRE(wanted);
  REQUIRE(rewritten);
  check_same(*rewritten, *wanted);
}

TEST_CASE("every kind of change is written, read and applied", "[rewrite][plan]") {
  const io::Document net = test::read_graph(kNet);
  const Graph& graph = net.graph;
  GraphPlan plan;
  const OpId first{graph.op_count()};
  const OpId second{graph.op_count() + 1};
  NewOp group;
  group.name = "group";
  group.type = "NoOp";
  group.control_inputs = {second};  // added after it
  plan.add_op(graph, group);
  const OpId copy = plan.add_copy(graph, {OpId{1}, "again", "/gpu:0", {{OpId{0}, 0}}, {OpId{2}}});
  CHECK(copy == second);
  plan.remove_attribute(copy, "dtype");
  AttrValue text;
  text.kind = AttrValue::Kind::kString;
  text.string = "words";
  plan.set_attribute(graph, copy, "why", text);
  plan.rerouted = {{OpId{5}, 1, {OpId{1}, 0}, {copy, 0}}, {OpId{5}, 0, {OpId{4}, 0}, {OpId{2}, 0}}};
  plan.control = {{OpId{5}, first}, {copy, OpId{0}}};
  plan.removed = {OpId{3}, OpId{4}};
  plan.set_device(OpId{2}, "/cpu:0");
  plan.set_attribute(graph, OpId{2}, "shape", AttrValue::of_shape(Shape::of({8, kUnknownDim})));
  const std::string json = plan_json(graph, plan, {"tideline", "net.pb", "digest", ""}, "edit");
  const auto again = read(json, graph);
  INFO((again ? "" : again.error().message));
  REQUIRE(again);
  CHECK(plan_json(graph, *again, {"tideline", "net.pb", "digest", ""}, "edit") == json);
  const auto wanted = apply(graph, plan);
  const auto changed = apply(graph, *again);
  REQUIRE(wanted);
  REQUIRE(changed);
  check_same(*changed, *wanted);
  CHECK(wanted->op_count() == 6);
}

TEST_CASE("every attribute value survives JSON", "[rewrite][plan]") {
  const io::Document net = test::read_graph("a = Const()\n");
  const NodeCodec& codec = net.graph.codec();
  const auto survives = [&](const AttrValue& value) {
    const std::string encoded = codec.encode_value(value);
    const auto json = attribute_json(codec, encoded);
    const auto again = attribute_from_json(codec, nlohmann::json::parse(json.dump()));
    REQUIRE(again);
    CHECK(*again == encoded);
    return json.dump();
  };
  CHECK(survives(AttrValue::of_type(DataType::kFloat)) == R"("DT_FLOAT")");
  CHECK(survives(AttrValue::of_type(static_cast<DataType>(77))) == R"("DT_77")");
  CHECK(survives(AttrValue::of_bool(true)) == "true");
  CHECK(survives(AttrValue::of_int(-3)) == "-3");
  CHECK(survives(AttrValue::of_shape(Shape::of({2, kUnknownDim}))) == R"({"shape":[2,null]})");
  CHECK(survives(AttrValue::of_shapes({Shape::unknown(), Shape::of({3})})) == "[null,[3]]");
  AttrValue value;
  value.kind = AttrValue::Kind::kFloat;
  value.number = 0.1F;
  CHECK_THAT(survives(value), Catch::Matchers::StartsWith(R"({"float":0.1)"));
  value.number = std::numeric_limits<float>::infinity();
  CHECK_THAT(survives(value), Contains("encoded"));
  value.kind = AttrValue::Kind::kString;
  value.string = "x";
  CHECK(survives(value) == R"({"string":"x"})");
  value.string = "\xff";
  CHECK_THAT(survives(value), Contains("encoded"));
  value = AttrValue();
  value.kind = AttrValue::Kind::kList;
  CHECK_THAT(survives(value), Contains("encoded"));
  value.strings = {"loc:@x", "y"};
  CHECK(survives(value) == R"({"strings":["loc:@x","y"]})");
  value.strings = {};
  value.integers = {1, -2};
  CHECK(survives(value) == R"({"integers":[1,-2]})");
  value.integers = {};
  value.types = {DataType::kFloat};
  CHECK(survives(value) == R"({"types":["DT_FLOAT"]})");
}

TEST_CASE("what is no plan, or not one of ours, is refused", "[rewrite][plan]") {
  CHECK_THAT(message("{"), Contains("is no JSON"));
  CHECK_THAT(message("[]"), Contains("is no plan"));
  CHECK_THAT(message(R"({"schema": "tideline.plan/2", "kind": "lms"})"),
             Contains("schema 'tideline.plan/2'; expected tideline.plan/1"));
  CHECK_THAT(message(R"({"schema": "tideline.plan/1"})"), Contains("'kind'"));
  CHECK_THAT(message(R"({"schema": "tideline.plan/1", "kind": "lms"})"), Contains("'added'"));
  const std::string chain = R"({"schema": "tideline.plan/1", "kind": "chain", "plans": )";
  CHECK_THAT(message(chain + "3}"), Contains("'plans' is no list"));
  CHECK_THAT(message(chain + "[]}"), Contains("'plans' is no list"));
  CHECK_THAT(message(chain + "[{}]}"), Contains("plans[0]: is no plan"));
  CHECK_THAT(message(chain + "[" + chain + "[]}]}"), Contains("a chain in a chain"));
  CHECK_THAT(message(chain + "[" + plan_with("{}") + "]}"), Contains("plans[0]: added[0]: 'name'"));
}

TEST_CASE("unknown keys and minor versions are read over", "[rewrite][plan]") {
  const io::Document net = test::read_graph(kNet);
  CHECK(read(R"({"schema": "tideline.plan/1.2", "kind": "lms", "added": [], "rerouted": [],
                 "control": [], "later": {"x": [1]}})",
             net.graph));
}

TEST_CASE("a plan that does not fit the graph is refused", "[rewrite][plan]") {
  const auto added = [](const std::string& members) {
    return message(plan_with("{\"name\": \"s\", " + members + "}"));
  };
  CHECK(added(R"("op": "Identity", "inputs": ["nobody:0"])") ==
        "added[0]: op 's': 'inputs': op 'nobody' is neither in the graph nor added");
  CHECK(added(R"("inputs": ["a:0"])") ==
        "added[0]: op 's': 'op' is missing; expected the type of the op");
  CHECK_THAT(added(R"("op": "Relu", "inputs": [3])"), Contains("'inputs' holds what is no name"));
  CHECK_THAT(added(R"("op": "Relu", "inputs": "a:0")"), Contains("'inputs' is no list"));
  CHECK_THAT(added(R"("op": "Relu", "inputs": ["a:4000000000"])"), Contains("added op 's' reads"));
  CHECK_THAT(added(R"("op": "Relu", "control_inputs": ["z"])"),
             Contains("'control_inputs': op 'z'"));
  CHECK_THAT(added(R"("copy_of": "z")"), Contains("op 'z' is not in the graph"));
  CHECK_THAT(added(R"("copy_of": "a", "op": "Elu")"), Contains("of which it is a copy, is a Relu"));
  CHECK_THAT(added(R"("op": "Relu", "attrs": {"T": "float32"})"),
             Contains("attribute 'T': expected a type"));
  CHECK_THAT(added(R"("op": "Relu", "attrs": {"T": {"encoded": "/w=="}})"),
             Contains("attribute 'T': expected the encoded value"));
  CHECK_THAT(added(R"("op": "Relu", "attrs": [])"), Contains("the attributes are no object"));
  CHECK(message(plan_with(kCopy + ", " + kCopy)) == "added[1]: op 's' is added twice");
  CHECK(message(plan_with(R"({"name": "a", "op": "Relu"})")) ==
        "added[0]: op 'a': the graph has an op of that name");
  CHECK_THAT(message(plan_with(kCopy, R"({"op": "e", "slot": 1, "from": "b:0", "to": "s:0"})")),
             Contains("rerouted[0]: input 1 of op 'e' reads 'a:0', not 'b:0'"));
  CHECK_THAT(message(plan_with(kCopy, R"({"op": "e", "slot": 2, "from": "a:0", "to": "s:0"})")),
             Contains("no such input"));
  CHECK_THAT(message(plan_with(kCopy, R"({"op": "s", "slot": 0, "from": "a:0", "to": "b:0"})")),
             Contains("no such input"));
  CHECK_THAT(message(plan_with(kCopy, R"({"op": "e", "slot": 1, "from": "a", "to": "s:0"})")),
             Contains("expected op:slot"));
  CHECK_THAT(message(plan_with(kCopy, "", R"({"op": "s", "after": ["nobody"]})")),
             Contains("control[0]: 'after': op 'nobody'"));
  CHECK_THAT(message(plan_with(kCopy, "", R"({"op": "s", "after": 3})")), Contains("no list"));
}

TEST_CASE("further changes that do not fit are refused", "[rewrite][plan]") {
  CHECK(message(changes(R"("removed": ["z"])")) == "removed[0]: op 'z' is not in the graph");
  CHECK(message(changes(R"("removed": [3])")) == "removed[0]: expected the name of an op");
  CHECK(message(changes(R"("removed": ["a", "a"])")) == "op 'a' is removed twice");
  CHECK(message(changes(R"("removed": {})")) == "'removed' is no list");
  CHECK(message(changes(R"("devices": {"z": "/cpu:0"})")) ==
        "devices['z']: op 'z' is not in the graph");
  CHECK(message(changes(R"("devices": {"a": 1})")) == "devices['a']: expected a device");
  CHECK(message(changes(R"("devices": [])")) == "'devices' is no object with the names of ops");
  CHECK_THAT(message(changes(R"("attributes": {"a": {"T": 0.5}})")),
             Contains("attributes['a']: attribute 'T': expected a type"));
  CHECK_THAT(message(changes(R"("attributes": {"a": 1})")), Contains("expected an object"));
  CHECK_THAT(message(changes(R"("removed_control": [{"op": "a", "after": ["x"]}])")),
             Contains("op 'a' does not wait for op 'x'"));
}

}  // namespace tideline
