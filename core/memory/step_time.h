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
  std::int64_t measured_ops = 0;  ///< device ops whose time was measured; those of the others are
  std::int64_t assumed_ops = 0;   ///< assumed by the profile
};

/// Device ops run one after the other, each for the time in `costs`. Each link copies one tensor at
/// a time, concurrently with the ops. A copy begins, after the latency, once its op has run (for a
/// swap-in, also its data and control inputs) and the link is free.
/// Units: nanoseconds. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step,
                                     const CostModel& costs);

}  // namespace tideline
