#include "app/engine/planned_peaks.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/engine/apply_plan.h"
#include "app/engine/rewrite.h"
#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using app::planned_peaks;
using nlohmann::json;

app::SizedGraph read_mlp() {
  Progress silent;
  auto read = app::read_with_trace(
      {.path = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"}, "", silent);
  REQUIRE(read);
  read->batch_size = 8;
  return *std::move(read);
}

struct Planned {
  app::SizedGraph graph;
  json plan;
};

// The graph that the policy's plan gives, by way of a plan file as a user has it.
Planned planned(const Policy& policy) {
  const app::SizedGraph original = read_mlp();
  Progress silent;
  const auto rewritten = app::rewrite(original, {{policy}, false, true, false}, silent);
  INFO((rewritten ? "" : rewritten.error().message));
  REQUIRE(rewritten);
  const test::TemporaryFolder folder;
  const std::string path = folder.file("plan.json");
  REQUIRE(write_file(path, rewritten->plan_json, false));
  auto opened = app::open_planned(original.document(), path, silent);
  REQUIRE(opened);
  REQUIRE(opened->document);
  Planned result{original, json::parse(rewritten->plan_json)};
  result.graph.source =
      std::make_shared<const app::ReadGraph>(original.source->choice, *std::move(opened->document));
  result.graph.cycle = std::move(opened->cycle);
  return result;
}

}  // namespace

TEST_CASE("The peaks of a cycle's runs are those of the plan that made it", "[session]") {
  Policy policy;
  policy.rewriter = "sections";
  set_value(policy, "levels", std::vector<std::string>{"4"});
  set_value(policy, "loss", std::string("loss/Mean"));
  const Planned made = planned(policy);
  const auto peaks = planned_peaks(made.graph, std::nullopt);
  REQUIRE(peaks);
  REQUIRE(peaks->size() == 3);
  CHECK((*peaks)[0].name == "run forward");
  CHECK((*peaks)[0].before.total() ==
        made.plan["predicted"]["forward"]["device_peak_bytes"].get<Bytes>());
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((*peaks)[i + 1].before.total() ==
          made.plan["phases"][i]["predicted"]["device_peak_bytes"].get<Bytes>());
  }
  const auto shown = app::find_run(made.graph, std::nullopt);
  REQUIRE(shown);
  REQUIRE(*shown);
  CHECK((*shown)->fetches == app::largest_run(*peaks).fetches);
  const OpId op = made.graph.graph().find("phase_0/train");
  REQUIRE(op.valid());
  const auto of_op = app::find_run(made.graph, std::nullopt, op);
  REQUIRE(of_op);
  CHECK((*of_op)->name == "run section 0");
  CHECK_FALSE(*app::find_run(read_mlp(), std::nullopt));
}

TEST_CASE("Towers have a peak for each device", "[session]") {
  Policy policy;
  policy.rewriter = "replicate";
  set_value(policy, "devices", std::vector<std::string>{"/gpu:0", "/gpu:1"});
  set_value(policy, "split", std::vector<std::string>{"x", "y"});
  set_value(policy, "train-op", std::string("adam_optimizer/Adam"));
  set_value(policy, "loss", std::string("loss/Mean"));
  const Planned made = planned(policy);
  auto peaks = planned_peaks(made.graph, std::nullopt);
  REQUIRE(peaks);
  REQUIRE(peaks->size() == 2);
  CHECK((*peaks)[0].name == "device /gpu:0");
  CHECK((*peaks)[1].name == "device /gpu:1");
  // The variables are on the host, and the towers alike.
  CHECK((*peaks)[0].before.of_step > 0);
  CHECK((*peaks)[0].before.total() == (*peaks)[1].before.total());
  REQUIRE(app::add_policy(made.graph, {}, CostModel(DeviceProfile()), {}, *peaks));
  CHECK((*peaks)[1].after->total() == (*peaks)[1].before.total());
}

}  // namespace tideline
