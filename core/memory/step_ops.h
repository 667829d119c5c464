// The ops that a step runs, for what is asked about a step before there is a step graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// By op: whether a step for `fetches` runs it, that is, whether a fetch needs it over data or
/// control edges. Where nothing says what a step is for (FetchRule::kAll), all ops but those that
/// only save and restore variables. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<bool> step_ops(const Graph& graph, const Fetches& fetches);

/// By op of `step`: whether a simulation of it that gave `schedule` computes the op's outputs.
/// False for those that TensorFlow folds into constants. Cost: O(ops). Thread: pure.
[[nodiscard]] std::vector<bool> computed_ops(const StepGraph& step, std::span<const OpId> schedule);
/// Those of `of_step` that are computed.
[[nodiscard]] std::vector<bool> computed_of(std::vector<bool> of_step, const StepGraph& step,
                                            std::span<const OpId> schedule);

/// Number of tensors of these ops whose size was guessed. Cost: O(tensors).
[[nodiscard]] std::int64_t unknown_sizes(const Graph& graph, const TensorTable& tensors,
                                         const std::vector<bool>& of_step);

/// What a user can give where sizes are unknown because the sizes of fed values are:
/// "; expected {batch-size} N or {shape} x=DIMS", naming the first one. Empty when all are known.
[[nodiscard]] std::string expected_sizes(const Graph& graph, const TensorTable& tensors,
                                         const std::vector<bool>& of_step);

}  // namespace tideline
