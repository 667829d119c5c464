// A step on one device, without and with a plan: what every verb and every view says of a plan.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/opened_graph.h"
#include "core/memory/step_clock.h"
#include "core/rewrite/lms/swap_effect.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline::app {

struct DeviceResult {
  std::shared_ptr<const DeviceStep> original;
  /// Null without a plan, and for a plan by which a step is several runs.
  std::shared_ptr<const FaithfulStep> after;
  TimeReport timing;                ///< of the step as it looks from this device
  std::vector<SwapEffect> effects;  ///< of the plan's swaps, by index
  /// The step of the graph that the plan gives, if that is the one shown; `after` is its memory
  /// then, and `original` what it is compared with.
  std::shared_ptr<const DeviceStep> planned;

  [[nodiscard]] const std::string& name() const {
    return (planned ? planned : original)->device.name;
  }
  [[nodiscard]] const FaithfulStep& result() const { return after ? *after : original->before; }
  [[nodiscard]] Bytes peak_before() const { return original->before.timeline.device_peak; }
  [[nodiscard]] Bytes peak() const { return result().timeline.device_peak; }
  /// As plan JSON says it; nullopt where `after` is null.
  [[nodiscard]] std::optional<PlanPrediction> prediction() const;
};

/// A step with a plan.
struct PlannedStep {
  StepGraph graph;
  FaithfulStep step;
};
/// The step of `original`, which was made for `fetches`, with a plan by which the graph is still
/// run as a step. Errors: those of predict_step_graph.
[[nodiscard]] Result<PlannedStep> simulate_plan(const SizedGraph& graph, const DeviceStep& original,
                                                const std::vector<std::string>& fetches,
                                                const RewritePlan& plan);

/// The device memory that a step under the policy may use, on the faithful model (usable_memory);
/// nullopt without a budget. Errors: those of find_variables, where a share is left to the reserve.
[[nodiscard]] Result<std::optional<Bytes>> step_budget(const SizedGraph& graph,
                                                       const Policy& policy);

/// `step` as `clock`, which is of it, sees it: waiting for memory within the budget of `time`, a
/// time of the clock; as it is if there is none, or if the step got stuck.
[[nodiscard]] FaithfulStep on_the_clock(FaithfulStep step, const StepClock& clock,
                                        const StepTime& time);

/// The memory of the step without a plan, as the clock sees it within the budget; `result`, which
/// has that step and its times, gets the times of the clock. Swaps of the graph itself then wait
/// for memory.
[[nodiscard]] MemoryTimeline within_budget(const CostModel& costs, Bytes budget,
                                           DeviceResult& result);

/// Adds what the plan does to `result`, which has the original step and its times, within the
/// budget. Errors: those of simulate_plan.
[[nodiscard]] Status add_plan(const SizedGraph& graph, const std::vector<std::string>& fetches,
                              const RewritePlan& plan, const CostModel& costs,
                              std::optional<Bytes> budget, DeviceResult& result);

/// The step that `step` describes, with `plan` unless it is null; the budget is for the plan.
/// `tensors` are those of the faithful model. Errors: those of make_device_step and simulate_plan.
[[nodiscard]] Result<DeviceResult> simulate_device(const SizedGraph& graph,
                                                   const TensorTable& tensors,
                                                   const StepOptions& step, const CostModel& costs,
                                                   const RewritePlan* plan,
                                                   std::optional<Bytes> budget);

/// The steps of the devices that the result of a plan names, for a plan whose result is shown
/// (PlanReport::shows_result). `result` is that graph, `originals` are those of the graph without
/// the plan, each with its times: a device is compared with the one of its name, else with the
/// first.
[[nodiscard]] std::vector<DeviceResult> compare_devices(
    const std::vector<DeviceResult>& originals,
    const std::vector<std::shared_ptr<const DeviceStep>>& result, const CostModel& costs);
/// What plan JSON says of them: of the first device or, where a plan makes several of one, of that
/// with the largest peak. Precondition: there is a device.
[[nodiscard]] std::optional<PlanPrediction> prediction_of(const std::vector<DeviceResult>& devices);

}  // namespace tideline::app
