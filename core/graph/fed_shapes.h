// The sizes of what the runs of a cycle are fed.
#pragma once

#include <vector>

#include "core/graph/cycle.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Shapes for the placeholders of `cycle`, a plan for `graph`: those of the tensors of `graph` that
/// they are fed, by `tensors`, as far as these are known. A placeholder alone does not tell that
/// its first dim is so many times the batch. Cost: O(feeds). Thread: pure.
[[nodiscard]] std::vector<GivenShape> fed_shapes(const Graph& graph, const TensorTable& tensors,
                                                 const Cycle& cycle);

}  // namespace tideline
