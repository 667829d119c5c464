// The order in which TensorFlow's executor starts the ops of a step.
#pragma once

#include <vector>

#include "core/memory/step_graph.h"

namespace tideline {

/// The ops that run, which are `ops` in any order that has producers first, in the executor's
/// order. `ops` as they are if there is a cycle that is no loop. Cost: O(ops + edges). Thread:
/// pure.
[[nodiscard]] std::vector<OpId> executor_order(const StepGraph& graph, std::vector<OpId> ops);

}  // namespace tideline
