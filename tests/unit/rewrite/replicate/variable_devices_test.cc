#include <catch2/catch.hpp>

#include "core/rewrite/replicate/on_cluster.h"
#include "core/rewrite/replicate/report_json.h"
#include "core/rewrite/replicate/rewriter.h"
#include "tests/unit/rewrite/replicate/replicate_text.h"

namespace tideline {
namespace {

using test::dense_options;
using test::kDense;
using test::replicate_text;
using test::Replicated;
using test::with;

const std::vector<std::string> kTwo = {"/job:ps/task:0/device:CPU:0",
                                       "/job:ps/task:1/device:CPU:0"};

// A second weight with a slot, which is larger, and which lies behind the first.
std::string two_weights() {
  return with(kDense, "    w/read = ", R"(    v = VariableV2() +dtype=f32 +shape=[4,200]
    v/read = Identity(v) f32[4,200] +T=f32
    v/slot = VariableV2() +dtype=f32 +shape=[4,200] +_class=('loc:@v')
    u = VariableV2() +dtype=f32 +shape=[2,2]
    w/read = )");
}

ReplicateOptions spread(VariableSpread how) {
  ReplicateOptions options = dense_options();
  options.devices = {"/job:worker/task:0/device:GPU:0", "/job:worker/task:1/device:GPU:0"};
  options.variables = how;
  options.variable_devices = kTwo;
  return options;
}

TEST_CASE("Variables are spread over devices in turn, with all that belongs to them",
          "[replicate]") {
  const Replicated made = replicate_text(two_weights(), spread(VariableSpread::kPs));
  for (const char* name : {"w", "w/read", "w/Assign", "apply", "u", "gradient_aggregating/AddN"}) {
    INFO(name);
    CHECK(made.device(name) == kTwo[0]);
  }
  for (const char* name : {"v", "v/read", "v/slot", "steps", "train"}) {
    INFO(name);
    CHECK(made.device(name) == kTwo[1]);
  }
  CHECK(made.device("split_inputs/split") == "/job:worker/task:0/device:CPU:0");
  CHECK(made.device("loss") == "/job:worker/task:0/device:CPU:0");
}

TEST_CASE("Balanced, the device with the fewest bytes gets the next variable", "[replicate]") {
  const Replicated made = replicate_text(two_weights(), spread(VariableSpread::kBalanced));
  CHECK(made.device("w") == kTwo[0]);
  CHECK(made.device("v") == kTwo[1]);
  CHECK(made.device("v/slot") == kTwo[1]);
  CHECK(made.device("u") == kTwo[0]);
  CHECK(made.device("steps") == kTwo[0]);
  const auto& devices = made.plan.report.variable_devices;
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].variables == 3);
  CHECK(devices[0].bytes == 4 * 2 * 4 + 2 * 2 * 4 + 8);
  CHECK(devices[1].variables == 2);
  CHECK(devices[1].bytes == 2 * 4 * 200 * 4);
  const replicate::TowerReport report(made.plan.report);
  const auto lines = report.lines(made.original.graph, made.plan.edit);
  CHECK(lines[0].ends_with("variables on 2 devices"));
  CHECK(lines[2] == "  2 variables of 6.25 KiB on /job:ps/task:1/device:CPU:0");
}

TEST_CASE("A cluster gives the devices that are not named, and refuses others", "[replicate]") {
  const Cluster cluster{{{"ps", 0, "a:1"}, {"worker", 0, "b:1"}, {"worker", 1, "c:1"}}};
  const auto used = [&](const ReplicateOptions& given) {
    Values values;
    set_values(given, values);
    const Status status = replicate::use_cluster(cluster, values);
    if (!status) FAIL(status.error().message);
    return options_of<ReplicateOptions>(values);
  };
  ReplicateOptions options;
  CHECK(used(options).devices == std::vector<std::string>{"/job:worker/task:0/device:CPU:0",
                                                          "/job:worker/task:1/device:CPU:0"});
  CHECK(used(options).variable_devices.empty());
  options.variables = VariableSpread::kPs;
  CHECK(used(options).variable_devices == std::vector<std::string>{"/job:ps/task:0/device:CPU:0"});
  for (auto* list : {&options.devices, &options.variable_devices}) {
    *list = {"/job:ps/task:7/device:CPU:0"};
    Values values;
    set_values(options, values);
    CHECK_FALSE(replicate::use_cluster(cluster, values));
    list->clear();
  }
}

TEST_CASE("Spreading needs devices, and devices a way of spreading", "[replicate]") {
  ReplicateOptions options = dense_options();
  options.variables = VariableSpread::kBalanced;
  CHECK(validate(options).error().message.find("expected {variable-devices}") != std::string::npos);
  options.variable_devices = kTwo;
  CHECK(validate(options));
  options.variables = VariableSpread::kFirst;
  CHECK(validate(options).error().message.find("has no effect") != std::string::npos);
}

}  // namespace
}  // namespace tideline
