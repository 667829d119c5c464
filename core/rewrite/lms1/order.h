// Rule 4 of LMS v1: the order of the ops that the starting ops reach.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/levels.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"

namespace tideline::lms1 {

/// Positions of ops in the step. An op whose position is not determined has none.
struct Order {
  LevelMap orders;                   ///< kNoLevel: no order
  std::int32_t backward_start = -1;  ///< lowest order of a backward op; -1: there is none
  std::vector<bool> is_reachable;    ///< from the starting ops over data edges, these included
  std::vector<bool> is_on_path;      ///< reachable, and leads to a backward op or is one
  std::vector<std::int32_t> layer;   ///< order before updates are dropped, or kNoLevel. Increases
                                     ///< along every data edge between ops on a path.

  [[nodiscard]] std::int32_t of(OpId op) const { return orders.level(op); }
};

/// Precondition: the graph is acyclic except for loops. Their back edges do not count.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] Order find_order(const Graph& graph, const Consumers& consumers,
                               const std::vector<bool>& is_backward,
                               const std::vector<OpId>& starting);

}  // namespace tideline::lms1
