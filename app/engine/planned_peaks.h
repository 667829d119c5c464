// The peaks of what a plan makes of a step: the runs of a cycle, the devices of towers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/graph/graph.h"
#include "core/memory/measured/measured_peaks.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline::app {

/// A run of a cycle, or a device: a step of its own for the faithful model.
struct PlannedPeak {
  std::string name;                            ///< "run section 2", "device /gpu:1"
  std::vector<std::string> fetches;            ///< empty: the default
  std::optional<std::string> gpu_device = {};  ///< as in StepOptions
  PeakParts before = {};                       ///< without a policy
  std::optional<PeakParts> after = {};         ///< with the policy's plan
};

/// Of a graph with a cycle each run, and the peaks are those in the report of `rewrite sections`;
/// otherwise each device, if the graph names several. `gpu_device` is the policy's. Errors: those
/// of TensorTable::build and build_step_graph. Cost: a step graph and a simulation for each.
[[nodiscard]] Result<std::vector<PlannedPeak>> planned_peaks(
    const SizedGraph& graph, const std::optional<std::string>& gpu_device);
/// Fills in `after`. `policy` is for that graph; each step has the budget.
[[nodiscard]] Status add_policy(const SizedGraph& graph, const RewritePlan& policy,
                                const CostModel& costs, std::optional<Bytes> budget,
                                std::vector<PlannedPeak>& peaks);

/// The run of the cycle with the largest peak before a policy. Precondition: the graph has a cycle.
[[nodiscard]] const PlannedPeak& largest_run(const std::vector<PlannedPeak>& peaks);
/// The run to show of a graph with a cycle: the largest of those in which `op` runs, or of all if
/// it is invalid or runs in none. Nullopt for a graph without a cycle. Errors: those of
/// planned_peaks.
[[nodiscard]] Result<std::optional<PlannedPeak>> find_run(
    const SizedGraph& graph, const std::optional<std::string>& gpu_device, OpId op = {});

}  // namespace tideline::app
