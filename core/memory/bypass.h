// Control edges of a folded step: who waits for an op that only passes on or only waits.
#pragma once

#include "core/memory/step_graph.h"

namespace tideline {

/// Lets readers and waiters go past ops that only wait (NoOp) and past copies of one tensor
/// (`passes`: by op, whether its output 0 is its input 0), as long as that gives no more edges.
/// `order`: the ops that run, producers first. Fetched ops stay. Whom an op waits for is listed by
/// name, and after those, ops that are not in `graph`. Cost: O(edges), and sorting those lists.
void bypass(const std::vector<OpId>& order, const std::vector<bool>& passes, const Graph& graph,
            StepGraph& step);

}  // namespace tideline
