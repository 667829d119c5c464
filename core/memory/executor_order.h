// The order in which TensorFlow's executor starts the ops of a step.
#pragma once

#include <vector>

#include "core/memory/step_graph.h"

namespace tideline {

/// The ops that run, in the executor's order. Empty if there is a cycle that is no loop.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<OpId> executor_order(const StepGraph& graph);

}  // namespace tideline
