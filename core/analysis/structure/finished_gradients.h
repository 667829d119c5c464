// Where the backward pass ends and the update begins.
#pragma once

#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// What is known of the ops of a graph when the question comes up; all by op.
struct PassMarks {
  const std::vector<bool>& after_seed;  ///< depends on a seed and is no write to a variable
  const std::vector<bool>& is_update;   ///< writes a variable with what became of a gradient
  const std::vector<bool>& forward;     ///< leads to an end of the forward pass
};

/// By op: whether it works on gradients that are finished. Such ops depend on a seed, lead to no
/// gradient op, and are one of: not linear in the seed, an average over several seeds, the last
/// steps before the writes (plain copies, products with something that no forward op made, sums
/// over rows that occur twice), or behind one of these. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<bool> find_finished_gradients(
    const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
    const StackLinks& stacks, const GradientFlow& flow, const PassMarks& marks);

}  // namespace tideline
