// Pairs of backward and forward ops: whose gradient each backward op computes.
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
/// not backward, and where neither edges nor op types decide. Several backward ops may share a
/// forward op. The sum of several gradients of a tensor belongs to the producer of the tensor, a
/// seed to the loss. Cost: about O(ops + edges); the search around one op is bounded. Thread: pure.
[[nodiscard]] std::vector<OpId> find_gradient_pairs(const Graph& graph, const Consumers& consumers,
                                                    const OpFactsTable& facts,
                                                    const StackLinks& stacks,
                                                    const GradientFlow& flow, const Phases& phases);

}  // namespace tideline
