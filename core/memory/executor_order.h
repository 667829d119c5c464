// The order in which TensorFlow's executor starts the ops of a step.
#pragma once

#include <vector>

#include "core/memory/step_graph.h"

namespace tideline {

/// The ops that run, in the executor's order. Empty if there is a cycle that is no loop.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<OpId> executor_order(const StepGraph& graph);

/// The ops that run, as TensorFlow's optimizer writes them: producers first, first come, first
/// served.
[[nodiscard]] std::vector<OpId> written_order(const StepGraph& graph);
/// The order in which the executor starts `ops`, which are written in this order. Less than all of
/// them if there is a cycle. By op: whether it `is_async`, as those of stacks are; empty: none is.
[[nodiscard]] std::vector<OpId> started_order(const StepGraph& graph, const std::vector<OpId>& ops,
                                              const std::vector<bool>& is_async);

}  // namespace tideline
