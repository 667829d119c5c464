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

/// By op: its level among the ancestors of the fetches over data and control edges; -1 for ops that
/// are none. Cost: O(ops + edges of the ancestors).
[[nodiscard]] std::vector<std::int32_t> step_levels(const StepGraph& graph);

/// The ops with a level, by level, then in the order of their ids.
[[nodiscard]] std::vector<OpId> by_level(const std::vector<std::int32_t>& level_of);

/// The ancestors of the fetches over data and control edges, by complete level, then file order; or
/// in the order of the executor if the step is one as TensorFlow runs it, with the levels that the
/// ops have in the file. Cost: O(ops + edges of the scheduled ops). Thread: pure.
[[nodiscard]] StepSchedule schedule_step(const StepGraph& graph);

}  // namespace tideline
