// Finds the override with which a tensor is back at a level.
#pragma once

#include <cstdint>

#include "core/analysis/levels.h"
#include "core/graph/graph.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline {

/// The N of {ahead-tensors} with which a swap-in of a plan of LMS, whose first reader is
/// `consumer`, may be back at `level` of `levels`, the complete map; at least 1, and 0 for other
/// plans. Where the plan finds no op to wait for so near, it is back earlier. Units: levels; LMS
/// v1: orders. Cost: O(1); LMS v1: O(ops). Thread: pure.
[[nodiscard]] int own_ahead_at(const RewritePlan& plan, const LevelMap& levels, OpId consumer,
                               std::int32_t level);

}  // namespace tideline
