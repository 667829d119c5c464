// The forward ops to whose gradients the ops of a backward pass belong.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/structure/graph_facts.h"

namespace tideline::sections {

/// By op: the forward op whose gradient it helps to compute, or one beside it in the forward pass;
/// invalid for ops that are not backward, for copies of swaps, and where nothing decides. `order`:
/// producers before their consumers, but for the back edges of loops. Cost: about O(ops + edges);
/// what is looked at around one op is bounded. Thread: pure.
[[nodiscard]] std::vector<OpId> find_gradient_owners(const GraphFacts& known,
                                                     std::span<const OpId> order);

}  // namespace tideline::sections
