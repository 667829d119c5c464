// The owners of gradients in a graph.
#pragma once

#include <vector>

#include "core/analysis/producers_first.h"
#include "core/rewrite/sections/gradient_owners.h"

namespace tideline::test {

inline std::vector<OpId> gradient_owners(const Graph& graph) {
  return sections::find_gradient_owners(GraphFacts(graph), producers_first(graph));
}

}  // namespace tideline::test
