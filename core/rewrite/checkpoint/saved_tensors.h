// What a SaveV2 or RestoreV2 says of its tensors.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline::checkpoint_ops {

/// The inputs of a SaveV2, a RestoreV2 and of what replaces them.
inline constexpr std::uint32_t kPrefix = 0, kNames = 1, kSlices = 2, kFirstTensor = 3;

/// The types of the tensors that `op` saves or restores. Errors: kInvalidArgument, naming the op,
/// if it lacks the attribute or has another number of inputs; kCorrupt.
[[nodiscard]] Result<std::vector<DataType>> tensor_types(const Graph& graph, OpId op);

/// Appends the names under which `op` saves or restores, if they are a constant of the graph.
/// Errors: kCorrupt.
[[nodiscard]] Status add_tensor_names(const Graph& graph, OpId op, std::vector<std::string>& names);

}  // namespace tideline::checkpoint_ops
