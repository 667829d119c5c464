// Tested by unit/session/diff_document_test.cc.
#include "app/engine/side_peaks.h"

namespace tideline::app {
namespace {

Result<Bytes> simulated_peak(const Snapshot& shown, const SizedGraph& graph) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  StepOptions step;
  step.fetches = shown.graph->request.fetches;
  step.gpu_device = shown.devices.front().original->device.gpu_device;
  const CostModel costs = graph.costs(shown.profile);
  TIDELINE_TRY(DeviceResult result,
               simulate_device(graph, tensors, step, costs, nullptr, std::nullopt));
  if (!shown.device_budget) return result.peak_before();
  return within_budget(costs, *shown.device_budget, result).device_peak;
}

}  // namespace

Bytes peak_of_original(const Snapshot& shown) {
  return shown.devices.front().peak_before();
}

std::optional<Bytes> peak_of_planned(const Snapshot& shown) {
  if (shown.has_plan() && shown.devices.front().after == nullptr) return std::nullopt;
  return shown.devices.front().peak();
}

std::optional<Bytes> peak_beside(const Snapshot& shown, const ReadGraphPtr& other) {
  SizedGraph graph = shown.graph->sized();
  graph.source = other;
  graph.measured = nullptr;
  graph.known = nullptr;
  graph.cycle.reset();
  graph.as_written = nullptr;
  const auto peak = simulated_peak(shown, graph);
  return peak ? std::optional(*peak) : std::nullopt;
}

}  // namespace tideline::app
