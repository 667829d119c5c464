#include "core/rewrite/plan_json_reader.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan_json.h"
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

std::string message(const std::string& json) {
  const auto plan = read_plan("p.json", json, test::read_graph(kNet).graph);
  REQUIRE_FALSE(plan);
  CHECK_THAT(plan.error().message, Catch::Matchers::StartsWith("p.json: "));
  return plan.error().message;
}

std::string plan_with(const std::string& added, const std::string& rerouted,
                      const std::string& control) {
  return fmt::format(R"({{"schema": "tideline.plan/1", "kind": "lms", "added": [{}],
                         "rerouted": [{}], "control": [{}]}})",
                     added, rerouted, control);
}

TEST_CASE("a plan that was written and read gives the same graph", "[rewrite][plan]") {
  const io::Document net = test::read_graph(kNet);
  LmsPlan plan;
  const auto read = read_plan("p.json", json_of(net, plan), net.graph);
  REQUIRE(read);
  REQUIRE_FALSE(plan.added.empty());
  REQUIRE_FALSE(plan.control.empty());
  CHECK(read->digest == "digest");
  CHECK(read->function.empty());
  const auto wanted = apply(net.graph, plan);
  const auto rewritten = apply(net.graph, read->plan);
  REQUIRE(wanted);
  REQUIRE(rewritten);
  REQUIRE(rewritten->op_count() == wanted->op_count());
  for (const OpId op : wanted->ops()) CHECK(rewritten->encoded(op) == wanted->encoded(op));
}

TEST_CASE("what is no plan, or not one of ours, is refused", "[rewrite][plan]") {
  CHECK_THAT(message("{"), Contains("is no JSON"));
  CHECK_THAT(message("[]"), Contains("is no plan"));
  CHECK_THAT(message(R"({"schema": "tideline.plan/2"})"), Contains("schema 'tideline.plan/2'"));
  CHECK_THAT(message(R"({"schema": "tideline.plan/1", "kind": "sections"})"),
             Contains("kind 'sections'"));
  CHECK_THAT(message(R"({"schema": "tideline.plan/1", "kind": "lms"})"), Contains("'added'"));
}

TEST_CASE("a plan that does not fit the graph is refused", "[rewrite][plan]") {
  const std::string copy =
      R"({"name": "s", "op": "Identity", "inputs": ["a:0"], "attrs": {"T": "DT_FLOAT"}})";
  CHECK_THAT(message(plan_with(R"({"name": "s", "op": "Relu", "inputs": ["a:0"]})", "", "")),
             Contains("expected an Identity"));
  CHECK_THAT(
      message(plan_with(R"({"name": "s", "op": "Identity", "inputs": ["nobody:0"]})", "", "")),
      Contains("op 'nobody' is neither"));
  CHECK_THAT(message(plan_with(copy, R"({"op": "e", "slot": 1, "from": "b:0", "to": "s:0"})", "")),
             Contains("reads 'a:0', not 'b:0'"));
  CHECK_THAT(message(plan_with(copy, R"({"op": "e", "slot": 2, "from": "a:0", "to": "s:0"})", "")),
             Contains("no such input"));
  CHECK_THAT(message(plan_with(copy, R"({"op": "s", "slot": 0, "from": "a:0", "to": "b:0"})", "")),
             Contains("no such input"));
  CHECK_THAT(message(plan_with(copy, R"({"op": "e", "slot": 1, "from": "a", "to": "s:0"})", "")),
             Contains("expected op:slot"));
  CHECK_THAT(message(plan_with(copy, "", R"({"op": "s", "after": ["nobody"]})")),
             Contains("'nobody'"));
  CHECK_THAT(message(plan_with(copy, "", R"({"op": "s", "after": 3})")), Contains("no list"));
}

}  // namespace
}  // namespace tideline
