// Tested by unit/engine/snapshot_test.cc, property/one_truth.py and the golden case simulate.
#include "app/engine/device_result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/variables.h"
#include "core/base/text.h"
#include "core/rewrite/predict.h"

namespace tideline::app {

std::optional<PlanPrediction> DeviceResult::prediction() const {
  if (!after) return std::nullopt;
  const MemoryTimeline& step = after->timeline;
  return PlanPrediction{std::string(step.model),
                        step.device_peak,
                        step.host_peak,
                        peak_before(),
                        timing,
                        effects,
                        planned && planned->device.gpu_device ? planned->device.name : "",
                        original->graph.run};
}

Result<PlannedStep> simulate_plan(const SizedGraph& graph, const DeviceStep& original,
                                  const std::vector<std::string>& fetches,
                                  const RewritePlan& plan) {
  StepOptions options;
  options.fetches = fetches;
  options.gpu_device = original.device.gpu_device;
  options.functions = &graph.source->functions;
  if (graph.measured) options.measured = &graph.measured->sizes;
  options.run = original.graph.run;
  PlannedStep planned;
  TIDELINE_TRY(planned.graph,
               predict_step_graph(original.graph, graph.graph(), graph.document().collections,
                                  plan.edit, graph.options(), options));
  planned.step = simulate_step(planned.graph);
  return planned;
}

Result<std::optional<Bytes>> step_budget(const SizedGraph& graph, const Policy& policy) {
  if (!policy.budget || policy.budget->device <= 0) return std::optional<Bytes>();
  MemoryBudget budget = *policy.budget;
  budget.ratio = memory_ratio(budget, policy.search);
  SearchModel faithful = policy.search;
  faithful.is_faithful = true;
  Bytes trainable = 0;
  if (*budget.ratio < 1) {
    TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kCompatible));
    TIDELINE_TRY(trainable,
                 trainable_bytes(graph.source->facts, graph.document().collections, tensors));
  }
  return std::optional(static_cast<Bytes>(std::floor(usable_memory(budget, faithful, trainable))));
}

FaithfulStep on_the_clock(FaithfulStep step, const StepClock& clock, const StepTime& time) {
  if (!time.budget || time.stuck) return step;
  return clock.timeline(time.budget);
}

MemoryTimeline within_budget(const CostModel& costs, Bytes budget, DeviceResult& result) {
  const DeviceStep& original = *result.original;
  const StepClock clock(original.graph, original.before, costs);
  result.timing = report_time(std::move(result.timing), clock, budget);
  return on_the_clock(original.before, clock, result.timing.after).timeline;
}

Status add_plan(const SizedGraph& graph, const std::vector<std::string>& fetches,
                const RewritePlan& plan, const CostModel& costs, std::optional<Bytes> budget,
                DeviceResult& result) {
  TIDELINE_TRY(PlannedStep planned, simulate_plan(graph, *result.original, fetches, plan));
  const StepClock clock(planned.graph, planned.step, costs);
  result.timing = report_time(std::move(result.timing), clock, budget);
  FaithfulStep seen = on_the_clock(planned.step, clock, result.timing.after);
  result.effects = swap_effects(planned.graph, seen, plan.swaps());
  result.after = std::make_shared<const FaithfulStep>(std::move(seen));
  return {};
}

Result<DeviceResult> simulate_device(const SizedGraph& graph, const TensorTable& tensors,
                                     const StepOptions& step, const CostModel& costs,
                                     const RewritePlan* plan, std::optional<Bytes> budget) {
  DeviceResult result;
  TIDELINE_TRY(result.original, make_device_step(*graph.source, tensors,
                                                 {step.gpu_device.value_or(""), step.gpu_device},
                                                 step.fetches, graph.measured.get(), graph.run));
  result.timing = report_time(result.original->graph, result.original->before, costs);
  if (plan != nullptr) {
    TIDELINE_RETURN_IF_ERROR(add_plan(graph, step.fetches, *plan, costs, budget, result));
  }
  return result;
}

std::vector<DeviceResult> compare_devices(
    const std::vector<DeviceResult>& originals,
    const std::vector<std::shared_ptr<const DeviceStep>>& result, const CostModel& costs) {
  std::vector<DeviceResult> compared;
  for (const std::shared_ptr<const DeviceStep>& planned : result) {
    const auto same =
        std::find_if(originals.begin(), originals.end(), [&](const DeviceResult& device) {
          return equal_ignoring_case(device.original->device.name, planned->device.name);
        });
    DeviceResult device = same == originals.end() ? originals.front() : *same;
    device.planned = planned;
    device.after = std::shared_ptr<const FaithfulStep>(planned, &planned->before);
    device.timing = report_time(std::move(device.timing), planned->graph, planned->before, costs);
    compared.push_back(std::move(device));
  }
  return compared;
}

std::optional<PlanPrediction> prediction_of(const std::vector<DeviceResult>& devices) {
  const auto largest = std::max_element(
      devices.begin(), devices.end(),
      [](const DeviceResult& a, const DeviceResult& b) { return a.peak() < b.peak(); });
  return (devices.front().planned ? *largest : devices.front()).prediction();
}

}  // namespace tideline::app
