// Tested by unit/session/diff_document_test.cc.
#include "app/engine/side_peaks.h"

namespace tideline::app {
namespace {

using TimelinePtr = std::shared_ptr<const MemoryTimeline>;

Result<MemoryTimeline> simulated_beside(const Snapshot& shown, const SizedGraph& graph) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  StepOptions step;
  step.fetches = shown.graph->request.fetches;
  step.gpu_device = shown.devices.front().original->device.gpu_device;
  const CostModel costs = graph.costs(shown.profile);
  TIDELINE_TRY(DeviceResult result,
               simulate_device(graph, tensors, step, costs, nullptr, std::nullopt));
  if (!shown.device_budget) return result.original->before.timeline;
  return within_budget(costs, *shown.device_budget, result);
}

SideMemory in_budget_of(const Snapshot& shown, TimelinePtr timeline) {
  return {std::move(timeline), shown.device_budget.value_or(0)};
}

}  // namespace

SideMemory memory_of_original(const Snapshot& shown) {
  const auto& step = shown.devices.front().original;
  return in_budget_of(shown, TimelinePtr(step, &step->before.timeline));
}

SideMemory memory_of_planned(const Snapshot& shown) {
  if (!shown.has_plan()) return memory_of_original(shown);
  const auto& step = shown.devices.front().after;
  if (step == nullptr) return in_budget_of(shown, nullptr);
  return in_budget_of(shown, TimelinePtr(step, &step->timeline));
}

SideMemory memory_beside(const Snapshot& shown, const ReadGraphPtr& other) {
  SizedGraph graph = shown.graph->sized();
  graph.source = other;
  graph.measured = nullptr;
  graph.known = nullptr;
  graph.cycle.reset();
  graph.as_written = nullptr;
  auto timeline = simulated_beside(shown, graph);
  if (!timeline) return in_budget_of(shown, nullptr);
  return in_budget_of(shown, std::make_shared<const MemoryTimeline>(*std::move(timeline)));
}

}  // namespace tideline::app
