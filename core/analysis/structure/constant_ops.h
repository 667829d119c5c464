// Ops whose outputs are the same in every step.
#pragma once

#include <span>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// By op.
struct ConstantOps {
  std::vector<bool> is_constant;  ///< shapes count as the same
  std::vector<bool> is_fixed;     ///< also seen through Enter: what accumulators start with
};

/// `order`: all ops, producers first. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] ConstantOps find_constant_ops(const Graph& graph, const OpFactsTable& facts,
                                            std::span<const OpId> order);

}  // namespace tideline
