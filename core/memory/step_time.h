// How long a step takes, and what its swaps add.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/device_profile.h"
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
  std::int64_t assumed_ops = 0;   ///< assumed from the bytes that they move
};

/// Device ops run one after the other, each for the bytes that it reads and writes; each link
/// copies one tensor after the other, beside the ops. A copy begins when its op has run (a swap-in:
/// when also its data and control inputs have), the link is free, and after the latency.
/// `measured_ns`: what ops took in a traced step, by op, -1 where that is not known; ops past its
/// end are not known. It counts instead of the bytes, and so does a traced 0. Units: nanoseconds.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step,
                                     const DeviceProfile& profile,
                                     std::span<const std::int64_t> measured_ns = {});

}  // namespace tideline
