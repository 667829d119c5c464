// Backward ops that are no gradients themselves: shapes, constants, pushes.
#pragma once

#include <vector>

#include "core/analysis/structure/backward_reads.h"
#include "core/analysis/structure/forward_walks.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// What is known of a graph when its gradients have owners.
struct HelperFacts {
  const Graph& graph;
  const Consumers& consumers;
  const OpFactsTable& facts;
  const StackLinks& stacks;
  const Phases& phases;
  const BackwardReads& reads;
  const ForwardWalks& walks;
};

/// Gives backward ops without an owner that of what they help. What helps nobody: that of the
/// nearest op in the file that works on the same tensor. Cost: O(ops + edges). `owners`: by op.
void give_to_helpers(const HelperFacts& known, std::vector<OpId>& owners);

}  // namespace tideline
