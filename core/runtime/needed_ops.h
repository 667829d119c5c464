// The ops that a run of TensorFlow executes.
#pragma once

#include <set>
#include <vector>

#include "core/graph/graph.h"

namespace tideline::runtime {

/// By op: whether `roots` need it, over data and control edges, while the tensors `fed` come from
/// outside. Invalid ids among the roots are passed over. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<bool> needed_ops(const Graph& graph, const std::vector<OpId>& roots,
                                           const std::set<TensorId>& fed);

}  // namespace tideline::runtime
