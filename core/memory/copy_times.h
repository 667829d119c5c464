// When the copies of swaps run in a step, as its clock sees them.
#pragma once

#include <optional>
#include <vector>

#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"

namespace tideline {

/// A copy between device and host over its link.
struct CopyTime {
  TensorId tensor;  ///< the one that is copied out; of a copy in, what the swap-in hands on
  bool to_host = false;
  Bytes bytes = 0;
  double begin_ns = 0, end_ns = 0;  ///< from the beginning of the step
};

/// The copies of `step`, which is of `graph`, in a run of the clock (step_clock.h) with the usual
/// times of ops and this budget; those that do not begin, as the step gets stuck, are left out. By
/// begin; copies of one direction do not overlap. Cost: that of a clock and one run. Thread: pure.
[[nodiscard]] std::vector<CopyTime> copy_times(const StepGraph& graph, const FaithfulStep& step,
                                               const CostModel& costs, std::optional<Bytes> budget);

}  // namespace tideline
