// What a rewriter decided, as data: the edit, the report about it and its warnings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_plan.h"
#include "core/memory/run_model.h"
#include "core/memory/step_time.h"
#include "core/rewrite/lms/swap_effect.h"
#include "core/rewrite/plan_report.h"
#include "core/rewrite/warning.h"

namespace tideline {

/// What a model says of the rewritten graph.
struct PlanPrediction {
  std::string model;
  Bytes device_peak_bytes = 0;
  Bytes host_peak_bytes = 0;
  Bytes device_peak_before = 0;     ///< of the graph without the plan
  std::optional<TimeReport> time;   ///< where the times of ops are known or assumed
  std::vector<SwapEffect> effects;  ///< by swap of the plan
  std::string device = {};          ///< whose peak it is, where the plan makes several of one
  RunModel run = kAsInFile;         ///< of the simulated step
};
/// "device memory of a step: 720.00 MiB before, 400.00 MiB after (-44 %); step 58 ms -> 63 ms
/// (1.09 x)".
[[nodiscard]] std::string prediction_text(const PlanPrediction& prediction);

/// Ids are those of the edit.
struct RewritePlan {
  GraphPlan edit;
  std::shared_ptr<const PlanReport> report;  ///< null where there is no plan: the policy is off
  std::vector<Warning> warnings;
  std::string unread_remedy = {};  ///< the switch that leaves out copies that nothing reads

  [[nodiscard]] std::span<const PlannedSwap> swaps() const {
    return report ? report->swaps() : std::span<const PlannedSwap>();
  }
  /// Its warnings, and those that follow from a simulated step: that it has a higher peak, that it
  /// has copies that nothing reads, that it gets stuck within its budget. `effects` as in
  /// PlanPrediction; `timing` may be null.
  [[nodiscard]] std::vector<Warning> warnings_at(Bytes peak_before, Bytes peak,
                                                 const std::vector<SwapEffect>& effects,
                                                 const TimeReport* timing = nullptr) const;
  [[nodiscard]] std::optional<Cycle> cycle(const Graph& graph) const {
    return report ? report->cycle(graph, edit) : std::nullopt;
  }
};

/// The swap-ins of all swaps.
[[nodiscard]] std::int64_t swap_in_count(std::span<const PlannedSwap> swaps);

/// The graph that the edit gives (graph_edit.h).
[[nodiscard]] inline Result<Graph> apply(const Graph& graph, const RewritePlan& plan) {
  return apply(graph, plan.edit);
}

/// Name of an op of the graph or of the plan.
[[nodiscard]] inline std::string op_name(const Graph& graph, const RewritePlan& plan, OpId op) {
  return std::string(plan.edit.name(graph, op));
}
[[nodiscard]] inline std::string tensor_name(const Graph& graph, const RewritePlan& plan,
                                             TensorId tensor) {
  return plan.edit.tensor_name(graph, tensor);
}

}  // namespace tideline
