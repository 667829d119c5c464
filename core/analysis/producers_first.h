// All ops of a graph in an order in which values are there when they are read.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// File order when producers stand before their consumers in it, as they nearly always do; else by
/// complete level, then file order. Only data edges are asked about, and of these not the back
/// edges of loops. Ops of a cycle come in file order. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<OpId> producers_first(const Graph& graph);

}  // namespace tideline
