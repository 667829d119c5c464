// When the copies of swaps run in a step in which nothing waits for memory.
#pragma once

#include <vector>

#include "core/memory/copy_times.h"
#include "core/memory/step_time.h"

namespace tideline {

/// As copy_times without a budget, from the times of the ops in that run, `time`, alone: a copy is
/// ready when the op that makes its tensor has ended, and each direction is first come, first
/// served. Cost: O(ops + copies log copies). Thread: pure.
[[nodiscard]] std::vector<CopyTime> queued_copies(const StepGraph& graph, const FaithfulStep& step,
                                                  const CostModel& costs, const StepTime& time);

}  // namespace tideline
