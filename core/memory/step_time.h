// How long a step takes, and what its swaps add.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"

namespace tideline {

/// A swap-in for which its first reader had to wait.
struct LateSwapIn {
  TensorId tensor;  ///< of the copy
  OpId reader;
  std::int64_t wait_ns = 0;
};

/// When an op runs, counted from the begin of the step.
struct OpTime {
  double begin_ns = 0;
  double end_ns = 0;
};

struct StepTime {
  std::int64_t compute_ns = 0;  ///< all ops one after the other, without swaps
  std::int64_t added_ns = 0;    ///< what waiting for copies adds
  std::int64_t to_host_ns = 0;  ///< how long each link is busy
  std::int64_t to_device_ns = 0;
  std::vector<LateSwapIn> late;   ///< in the order of their readers
  std::vector<OpTime> ops;        ///< by op; zeros for one that does not run
  std::int64_t measured_ops = 0;  ///< device ops whose time was measured; those of the others are
  std::int64_t assumed_ops = 0;   ///< assumed by the profile
};

/// Device ops run one after the other, each as long as `costs` says; each link copies one tensor
/// after the other, beside the ops. A copy begins when its op has run (a swap-in: when also its
/// data and control inputs have), the link is free, and after the latency. Units: nanoseconds.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step,
                                     const CostModel& costs);

}  // namespace tideline
