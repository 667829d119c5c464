// Control edges of a folded step: who waits for an op that only passes on or only waits.
#pragma once

#include "core/memory/step_graph.h"

namespace tideline {

/// Lets readers and waiters go past ops that only wait (NoOp) and past copies of one tensor
/// (`passes`: by op, whether its output 0 is its input 0), as long as that gives no more edges.
/// `order`: the ops that run, producers first. Fetched ops stay. Whom an op waits for is listed by
/// `name_rank`, and after those, ops without one. Cost: O(edges).
void bypass(const std::vector<OpId>& order, const std::vector<bool>& passes,
            const std::vector<std::uint32_t>& name_rank, StepGraph& step);

}  // namespace tideline
