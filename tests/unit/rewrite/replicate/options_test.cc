// Options as values of the table of rewriters, and the report in plan JSON.
#include "core/rewrite/replicate/options.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/rewrite/policy.h"
#include "core/rewrite/policy_parameters.h"
#include "core/rewrite/replicate/report_json.h"
#include "core/rewrite/replicate/rewriter.h"
#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("Options survive the way through values, and defaults are not kept", "[replicate]") {
  ReplicateOptions options = test::dense_options();
  options.predictions = {"y=h:0"};
  options.metrics = {"m=a:0=b"};
  options.parameter_device = "/device:CPU:1";
  options.gradient_scope = "g";
  options.average = true;
  options.batch_norm_update = BatchNormUpdate::kAll;
  Values values;
  set_values(options, values);
  CHECK(options_of<ReplicateOptions>(values) == options);
  set_values(ReplicateOptions{}, values);
  CHECK(values == Values{});
}

TEST_CASE("Towers are a mode of rewrite and no policy of a step", "[replicate]") {
  const Rewriter& rewriter = replicate::rewriter();
  CHECK(find_rewriter("replicate") == &rewriter);
  CHECK_FALSE(rewriter.is_policy);
  Policy policy;
  policy.rewriter = "replicate";
  CHECK_FALSE(validate(policy));
  REQUIRE(set_parameter(policy, "devices", "/gpu:0, /gpu:1"));
  REQUIRE(set_parameter(policy, "split", "x,y"));
  REQUIRE(set_parameter(policy, "train-op", "train"));
  CHECK(validate(policy));
  const auto made = options_of<ReplicateOptions>(policy.values);
  CHECK(made.devices == Texts{"/gpu:0", "/gpu:1"});
  CHECK_FALSE(set_parameter(policy, "batch-norm-update", "last"));
}

TEST_CASE("The parameter device is beside the first tower", "[replicate]") {
  ReplicateOptions options;
  options.devices = {"/gpu:2"};
  CHECK(parameter_device(options) == "/device:GPU:2");
  options.devices = {"/device:CPU:1"};
  CHECK(parameter_device(options) == "/device:CPU:0");
  options.devices = {"/gpu:0", "/gpu:1"};
  CHECK(parameter_device(options) == "/device:CPU:0");
  options.parameter_device = "/gpu:1";
  CHECK(parameter_device(options) == "/gpu:1");
}

TEST_CASE("A planner makes a plan with a report, which says what to run", "[replicate]") {
  const io::Document document = test::read_graph(test::kDense);
  Policy policy;
  policy.rewriter = "replicate";
  set_values(test::dense_options(), policy.values);
  Progress silent;
  const auto made =
      make_plan(document.graph, document.collections, {}, policy, /*explain=*/true, silent);
  REQUIRE(made);
  REQUIRE(made->plan.report);
  CHECK(made->plan.report->kind() == "replicate");
  nlohmann::ordered_json json;
  made->plan.report->add_json(document.graph, made->plan.edit, nullptr, json);
  CHECK(json["loss"] == "loss:0");
  CHECK(json["train_op"] == "train");
  CHECK(json["towers"][1] ==
        nlohmann::ordered_json{{"index", 1}, {"device", "/device:GPU:1"}, {"prefix", "tower_1/"}});
  CHECK(json["split"]["x:0"] == Texts{"split_inputs/split:0", "split_inputs/split:1"});
  CHECK(json["aggregated"]["w"] == "gradient_aggregating/AddN:0");
  const Texts lines = made->plan.report->lines(document.graph, made->plan.edit);
  CHECK(lines.front() == "2 towers of 17 ops, variables on /device:CPU:0");
  CHECK(lines.back() == "the loss is loss:0");
}

}  // namespace
}  // namespace tideline
