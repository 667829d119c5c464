// Variables that are passed to a graph whose shapes the file does not say.
#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Handles that enter through an argument or a placeholder, and of which an op reads a value of
/// unknown shape. The graphs that trace_export of TensorFlow 2 writes have no shapes for them; what
/// is computed from such a value may have an unknown rank.
struct UnshapedVariables {
  std::int64_t count = 0;
  OpId first;       ///< in file order; invalid without any
  OpId first_read;  ///< the op that reads its value
};

/// Cost: O(ops). Thread: pure.
[[nodiscard]] UnshapedVariables find_unshaped_variables(const Graph& graph,
                                                        const TensorTable& tensors);

}  // namespace tideline
