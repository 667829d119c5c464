// Where the backward pass ends and the update begins.
#pragma once

#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// What is known about ops when this is computed; all by op.
struct PassMarks {
  const std::vector<bool>& after_seed;  ///< depends on a seed and does not write a variable
  const std::vector<bool>& is_update;   ///< writes a variable with a value derived from gradients
  const std::vector<bool>& forward;     ///< leads to an end of the forward pass
};

/// By op: whether it processes finished gradients, which makes it part of the update. Such ops
/// depend on a seed, lead to no gradient op, and are one of: not linear in the seed; an average
/// over several seeds; one of the last ops before a write (copies, products with a factor that no
/// forward op computed, sums over duplicate rows); or downstream of one of these.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<bool> find_finished_gradients(
    const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
    const StackLinks& stacks, const GradientFlow& flow, const PassMarks& marks);

}  // namespace tideline
