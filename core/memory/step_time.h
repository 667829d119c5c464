// The estimated time of a step, and the time that its swaps add.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"

namespace tideline {

/// A swap-in that its first reader has to wait for.
struct LateSwapIn {
  TensorId tensor;  ///< of the copy
  OpId reader;
  std::int64_t wait_ns = 0;
};

/// When an op runs, from the beginning of the step.
struct OpTime {
  double begin_ns = 0;
  double end_ns = 0;
};

struct StepTime {
  std::int64_t compute_ns = 0;  ///< all ops one after the other, without swaps
  std::int64_t added_ns = 0;    ///< waiting for copies
  std::int64_t to_host_ns = 0;  ///< busy time of each link
  std::int64_t to_device_ns = 0;
  std::vector<LateSwapIn> late;   ///< in the order of their readers
  std::vector<OpTime> ops;        ///< by op; zeros for one that does not run
  std::int64_t measured_ops = 0;  ///< device ops whose time was measured
  std::int64_t assumed_ops = 0;   ///< whose time follows from flops and bytes
  std::int64_t guessed_ops = 0;   ///< from bytes alone

  [[nodiscard]] std::int64_t step_ns() const { return compute_ns + added_ns; }
};

/// Device ops run one after the other, each for the time in `costs`. Each link copies one tensor at
/// a time, concurrently with the ops. A copy begins, after the latency, once its op has run (for a
/// swap-in, also its data and control inputs) and the link is free.
/// Units: nanoseconds. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step,
                                     const CostModel& costs);

/// The time of a step with the shortest and with the longest times that its ops may take
/// (cost_model.h); of no width if all of them were measured.
struct TimeRange {
  std::int64_t least_ns = 0;
  std::int64_t most_ns = 0;
};

/// The time of a step without and with a plan.
struct TimeReport {
  std::int64_t before_ns = 0;
  TimeRange before;
  StepTime after;  ///< as before when there is no plan
  TimeRange after_range;

  /// How many times as long the step takes with the plan; 1 if it takes no time.
  [[nodiscard]] double factor() const {
    return before_ns > 0 ? static_cast<double>(after.step_ns()) / static_cast<double>(before_ns)
                         : 1.0;
  }
};
/// Of a step without a plan. Cost: little more than an estimate.
[[nodiscard]] TimeReport report_time(const StepGraph& graph, const FaithfulStep& step,
                                     const CostModel& costs);
/// `without`, which is of the same profile, with the plan that gives `graph`. Cost: as above.
[[nodiscard]] TimeReport report_time(TimeReport without, const StepGraph& graph,
                                     const FaithfulStep& step, const CostModel& costs);

}  // namespace tideline
