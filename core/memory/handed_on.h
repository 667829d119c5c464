// Ops that give their input as output when there is nothing to do.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Whether `op` hands the buffer of its input on if the output has the same type and size: ops that
/// then have nothing to do, and Transpose where only axes of size 1 change places. (Other
/// permutations have equal sizes, too.) `facts` belong to its type. Cost: O(rank). Thread: pure.
[[nodiscard]] bool hands_on(const Graph& graph, const TensorTable& tensors, const OpFacts& facts,
                            OpId op);

}  // namespace tideline
