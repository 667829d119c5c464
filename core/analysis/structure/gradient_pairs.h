// Which forward op each op of a backward pass computes the gradient of.
#pragma once

#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// By op: the forward op whose gradient it computes or helps to compute; invalid for ops that are
/// not backward, and where neither edges nor op types tell. Several backward ops share one forward
/// op. What adds gradients up counts for the op that made the tensor, a seed for the loss.
/// Cost: near O(ops + edges); searches around one op are bounded. Thread: pure.
[[nodiscard]] std::vector<OpId> find_gradient_pairs(const Graph& graph, const Consumers& consumers,
                                                    const OpFactsTable& facts,
                                                    const StackLinks& stacks,
                                                    const GradientFlow& flow, const Phases& phases);

}  // namespace tideline
