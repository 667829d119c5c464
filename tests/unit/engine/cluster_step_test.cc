#include "app/engine/cluster_step.h"

#include <catch2/catch.hpp>

#include "app/engine/rewrite.h"
#include "tests/support/test_data.h"

namespace tideline::app {
namespace {

const Cluster kTwoTasks{{{"ps", 0, "a:1"}, {"worker", 0, "b:1"}}};

SizedGraph residual() {
  Progress silent;
  auto graph =
      read_with_trace({.path = test::kSource / "assets/samples/residual.meta"}, "", silent);
  if (!graph) FAIL(graph.error().message);
  graph->batch_size = 8;
  return *std::move(graph);
}

TEST_CASE("A graph without devices is on the first task, and nothing is sent but what is fed",
          "[cluster]") {
  const SizedGraph graph = residual();
  const auto step =
      simulate_on_cluster(graph, kTwoTasks, kTwoTasks.tasks[1], *built_in_profile("v100"), {});
  REQUIRE(step);
  REQUIRE(step->devices.size() == 2);
  const ClusterDeviceStep& ps = step->devices[0];
  CHECK(step->placement.devices[ps.device].name == "/job:ps/task:0/device:CPU:0");
  CHECK(ps.timeline.resident_bytes > 0);
  CHECK(ps.ops > 50);
  // The placeholders are fed on the client's task.
  CHECK(step->devices[1].timeline.resident_bytes == 0);
  REQUIRE_FALSE(step->sent.empty());
  for (const SentTensor& sent : step->sent) {
    CHECK(sent.from != sent.to);
    CHECK(std::string(sent_kind(graph, step->graph, sent)) == "batch");
  }
  // Every op has its time on its device, and the batch comes over the network first.
  CHECK(step->costs.assumed > 20);
  CHECK(step->costs.measured + step->costs.guessed == 0);
  const ClusterTime& time = step->time;
  CHECK(time.step_ns > time.without_network_ns);
  CHECK(time.step_ns > time.network_alone_ns);
  CHECK(time.without_network_ns == Approx(time.busy_ns[ps.device]));
  CHECK_FALSE(ps.measured_peak_of_own);
  CHECK(ps.peak_of_own <= ps.timeline.device_peak);
}

}  // namespace
}  // namespace tideline::app
