#include "app/engine/snapshot.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/rewriter.h"
#include "core/rewrite/predict.h"
#include "tests/support/lms_plans.h"
#include "tests/support/scene_text.h"

namespace tideline {
namespace {

std::shared_ptr<const app::OpenedGraph> opened(const std::string& name) {
  Progress silent;
  auto graph = app::open(
      {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + name}, .batch_size = 100}, silent);
  REQUIRE(graph);
  return *graph;
}

Policy policy_of(int threshold) {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", threshold);
  set_value(policy, "swapin-ahead", 3);
  set_value(policy, "swapin-groupby", 2);
  return policy;
}

}  // namespace

TEST_CASE("A snapshot says what the rewriter and the simulation say", "[session]") {
  const auto graph = opened("/assets/samples/tutorial_mnist.meta");
  Progress silent;
  const auto snapshot = app::make_snapshot(graph, policy_of(50), {}, silent);
  REQUIRE(snapshot);
  Lms2Options options = options_of<Lms2Options>(policy_of(50).values);
  options.batch_size = 100;
  const auto plan = plan_lms2(graph->graph(), graph->document().collections, options, silent);
  REQUIRE(plan);
  CHECK((*snapshot)->plan().edit.added.size() == plan->edit.added.size());
  const FaithfulStep step =
      test::predict_step(graph->devices[0]->graph, graph->graph(), *plan, std::nullopt);
  CHECK((*snapshot)->devices[0].after->timeline.device_peak == step.timeline.device_peak);
  CHECK((*snapshot)->scope_swapped[0] > 0);
  CHECK_FALSE((*snapshot)->time().ops.empty());
}

TEST_CASE("A replanner gives what a new one would, whatever was asked before", "[session]") {
  const auto graph = opened("/assets/samples/tutorial_mnist.meta");
  Progress silent;
  app::SnapshotMaker maker(graph);
  for (const int threshold : {10, 80, 30}) {
    const auto kept = maker.make(policy_of(threshold), {}, silent);
    const auto fresh = app::make_snapshot(graph, policy_of(threshold), {}, silent);
    REQUIRE(kept);
    REQUIRE(fresh);
    CHECK((*kept)->plan().swaps().size() == (*fresh)->plan().swaps().size());
    CHECK((*kept)->devices[0].after->timeline.device ==
          (*fresh)->devices[0].after->timeline.device);
  }
}

TEST_CASE("Without a policy there is no plan in the scene and nothing after it", "[session]") {
  const auto graph = opened("/assets/samples/tutorial_mnist.meta");
  Progress silent;
  const auto snapshot = app::make_snapshot(graph, {}, {}, silent);
  REQUIRE(snapshot);
  const render::Scene scene = (*snapshot)->scene();
  CHECK(scene.plan == nullptr);
  REQUIRE(scene.devices.size() == 1);
  CHECK(scene.devices[0].after == nullptr);
  CHECK(scene.devices[0].before_step != nullptr);
}

TEST_CASE("Every device of a graph has its own curves, the policy's first", "[session]") {
  const auto graph = opened("/tests/data/graphs/two_gpu_towers.meta");
  Progress silent;
  REQUIRE(graph->devices.size() == 2);
  Policy policy = policy_of(10);
  set_value(policy, "gpu-device", std::string("/device:GPU:1"));
  const auto snapshot = app::make_snapshot(graph, policy, {}, silent);
  REQUIRE(snapshot);
  const render::Scene scene = (*snapshot)->scene();
  REQUIRE(scene.devices.size() == 2);
  CHECK(scene.devices[0].device == "/device:GPU:1");
  CHECK(scene.devices[1].device == "/device:GPU:0");
  CHECK(scene.devices[0].after->device_peak != scene.devices[1].after->device_peak);
}

TEST_CASE("A policy that cannot be fulfilled makes no snapshot", "[session]") {
  const auto graph = opened("/assets/samples/tutorial_mnist.meta");
  Progress silent;
  Policy policy = policy_of(50);
  set_value(policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  app::SnapshotMaker maker(graph);
  const auto refused = maker.make(policy, {}, silent);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("nowhere") != std::string::npos);
  CHECK(maker.make(policy_of(50), {}, silent));
}

TEST_CASE("Automatic mode says what it found", "[session]") {
  const auto graph = opened("/assets/samples/tutorial_mnist.meta");
  Progress silent;
  Policy policy;
  policy.rewriter = "lms2";
  policy.budget = MemoryBudget{Bytes{64} << 30U};
  const auto snapshot = app::make_snapshot(graph, policy, {}, silent);
  REQUIRE(snapshot);
  CHECK((*snapshot)->tuned_text().starts_with("nothing needs to be swapped: a step needs "));
}

TEST_CASE("Every device has a step time of its own", "[session]") {
  const auto snapshot = test::snapshot_of(R"(
    w = VariableV2() @/gpu:0 f32[512,512]
    a = MatMul(w, w) @/gpu:0 f32[512,512]
    b = MatMul(a, a) @/gpu:0 f32[512,512]
    c = Relu(b) @/gpu:1 f32[512,512]
  )");
  REQUIRE(snapshot->devices.size() == 2);
  const StepTime& first = snapshot->devices[0].timing.after;
  const StepTime& second = snapshot->devices[1].timing.after;
  CHECK(first.compute_ns > second.compute_ns);
  CHECK(second.compute_ns > 0);
  const render::Scene scene = snapshot->scene();
  CHECK(scene.devices[0].timing->after.compute_ns == first.compute_ns);
  CHECK(scene.devices[1].timing->after.compute_ns == second.compute_ns);
}

}  // namespace tideline
