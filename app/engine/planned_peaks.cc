// Tested by unit/engine/planned_peaks_test.cc and the golden cases sections and replicate.
#include "app/engine/planned_peaks.h"

#include <algorithm>
#include <memory>

#include "app/engine/device_result.h"
#include "core/base/check.h"

namespace tideline::app {
namespace {

std::vector<PlannedPeak> steps_of(const SizedGraph& graph,
                                  const std::optional<std::string>& gpu_device) {
  std::vector<PlannedPeak> steps;
  if (graph.cycle) {
    for (const CycleRun& run : graph.cycle->runs) {
      steps.push_back({"run " + run.name, graph.cycle->fetches_of(run), gpu_device});
    }
    return steps;
  }
  Diagnostics told_when_opened;
  std::vector<StepDevice> devices = find_devices(graph.graph(), told_when_opened);
  if (devices.size() < 2) return steps;
  for (StepDevice& device : devices) {
    steps.push_back({"device " + device.name, {}, std::move(device.gpu_device)});
  }
  return steps;
}

Result<std::shared_ptr<const DeviceStep>> step_of(const SizedGraph& graph,
                                                  const TensorTable& tensors,
                                                  const PlannedPeak& peak) {
  return make_device_step(*graph.source, tensors, {peak.gpu_device.value_or(""), peak.gpu_device},
                          peak.fetches, nullptr, graph.run);
}

}  // namespace

Result<std::vector<PlannedPeak>> planned_peaks(const SizedGraph& graph,
                                               const std::optional<std::string>& gpu_device) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  std::vector<PlannedPeak> peaks = steps_of(graph, gpu_device);
  for (PlannedPeak& peak : peaks) {
    TIDELINE_TRY(const auto step, step_of(graph, tensors, peak));
    peak.before = peak_parts(step->before.timeline);
  }
  return peaks;
}

Status add_policy(const SizedGraph& graph, const RewritePlan& policy, const CostModel& costs,
                  std::optional<Bytes> budget, std::vector<PlannedPeak>& peaks) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  for (PlannedPeak& peak : peaks) {
    DeviceResult result;
    TIDELINE_TRY(result.original, step_of(graph, tensors, peak));
    TIDELINE_RETURN_IF_ERROR(add_plan(graph, peak.fetches, policy, costs, budget, result));
    peak.after = peak_parts(result.result().timeline);
  }
  return {};
}

const PlannedPeak& largest_run(const std::vector<PlannedPeak>& peaks) {
  TIDELINE_CHECK(!peaks.empty());
  return *std::max_element(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) {
    return a.before.total() < b.before.total();
  });
}

Result<std::optional<PlannedPeak>> find_run(const SizedGraph& graph,
                                            const std::optional<std::string>& gpu_device, OpId op) {
  if (!graph.cycle) return std::optional<PlannedPeak>();
  TIDELINE_TRY(std::vector<PlannedPeak> runs, planned_peaks(graph, gpu_device));
  if (!op.valid()) return std::optional<PlannedPeak>(largest_run(runs));
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  std::vector<PlannedPeak> of_op;
  for (const PlannedPeak& run : runs) {
    TIDELINE_TRY(const auto step, step_of(graph, tensors, run));
    const std::vector<OpId>& schedule = step->before.timeline.schedule;
    if (std::find(schedule.begin(), schedule.end(), op) != schedule.end()) of_op.push_back(run);
  }
  return std::optional<PlannedPeak>(largest_run(of_op.empty() ? runs : of_op));
}

}  // namespace tideline::app
