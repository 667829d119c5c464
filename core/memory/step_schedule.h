// The order in which the ops of a step run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/step_graph.h"

namespace tideline {

/// A schedule. A step here is the position of an op in it.
struct StepSchedule {
  std::vector<OpId> ops;            ///< by step
  std::vector<std::int32_t> level;  ///< by step
  std::vector<std::int32_t> step;   ///< by op; -1 for ops that do not run
};

/// The ancestors of the fetches over data and control edges, by complete level, then file order.
/// Cost: O(ops + edges of the scheduled ops). Thread: pure.
[[nodiscard]] StepSchedule schedule_step(const StepGraph& graph);

}  // namespace tideline
