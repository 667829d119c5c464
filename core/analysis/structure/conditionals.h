// The conditionals of TensorFlow 1, each with its predicate and what hangs on its sides.
#pragma once

#include <array>
#include <vector>

#include "core/analysis/conditions.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Switch and Merge ops that one predicate decides. Lists are in file order.
struct Conditional {
  TensorId predicate;  ///< seen through Identity
  std::vector<OpId> switches;
  std::vector<OpId> merges;                   ///< where the two sides come together again
  std::array<std::vector<OpId>, 2> branches;  ///< ops that run only when it is false, true; ops of
                                              ///< conditionals inside it too
};

/// In the order of their first Switch. Cost: O((ops + edges) x nesting of conditionals).
[[nodiscard]] std::vector<Conditional> find_conditionals(const Graph& graph,
                                                         const OpFactsTable& facts,
                                                         const Conditions& conditions);

/// Ops that run functions: If, While, calls by type or by name; in file order.
[[nodiscard]] std::vector<OpId> find_calls(const Graph& graph, const OpFactsTable& facts);

}  // namespace tideline
