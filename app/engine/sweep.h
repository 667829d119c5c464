// Plans and simulates a policy with every combination of values of some of its parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/base/progress.h"
#include "core/memory/device_profile.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/varied.h"
#include "core/rewrite/warning.h"

namespace tideline::app {

struct SweepRequest {
  Policy policy;               ///< with a rewriter, of LMS's kind, and what stays the same
  std::vector<Varied> varied;  ///< at most kMostPlans combinations
  DeviceProfile profile;
  /// Steps are counted as the reference of LMS v2 does, which knows no time: times of rows are 0.
  /// The rewriter then has count_step.
  bool is_compatible = false;
};

/// A plan as a simulation says it; see DeviceResult.
struct SweepRow {
  std::vector<Value> values;          ///< by SweepRequest::varied
  std::optional<std::int64_t> batch;  ///< of the graph
  Bytes peak_before = 0;              ///< without the plan
  std::int64_t before_ns = 0;
  Bytes device_peak = 0, host_peak = 0;
  Bytes bytes_out = 0, bytes_in = 0;
  std::int64_t swapped_out_tensors = 0, swap_ins = 0;
  std::int64_t late_swap_ins = 0;  ///< those that a reader waits for
  std::int64_t step_ns = 0;
  std::optional<Bytes> budget;  ///< what the step may use
  /// Where it gets stuck within the budget: what its next op would hold. The rest is then without
  /// the budget.
  std::optional<Bytes> stuck_at;

  /// Whether the step gets to its end within the budget; nullopt without a budget.
  [[nodiscard]] std::optional<bool> fits() const;
  /// How much longer than without the plan; 0 if that takes no time.
  [[nodiscard]] double added_percent() const;
};

struct Sweep {
  std::vector<SweepRow> rows;       ///< in the order of combination()
  std::optional<std::size_t> best;  ///< as best_row
  RunModel run;                     ///< of all steps
};

/// The policy of the combination `values`. The batch size is not part of it.
[[nodiscard]] Policy policy_of(const SweepRequest& request, std::span<const Value> values);

/// The fastest row of those that fit, by time of an example where batch sizes differ; nullopt if
/// none does. Without a budget the row with the lowest peak. Of equals the one that is better in
/// the other, then the first. Cost: O(rows). Thread: pure.
[[nodiscard]] std::optional<std::size_t> best_row(std::span<const SweepRow> rows);

/// All combinations, on as many threads as pay. The graph's run model is that of the steps. Cost: a
/// plan and a simulation for each; what only the graph and its sizes decide is found once for each
/// batch size. Errors: those of Planner::plan and of the simulation; kCancelled.
[[nodiscard]] Result<Sweep> sweep(const SizedGraph& graph, const SweepRequest& request,
                                  Progress& progress);

/// The warnings of the plan of a row, as a simulation has them. Cost: that of a plan. Errors: as
/// those of sweep.
[[nodiscard]] Result<std::vector<Warning>> warnings_of(const SizedGraph& graph,
                                                       const SweepRequest& request,
                                                       const SweepRow& row, Progress& progress);

}  // namespace tideline::app
