// Backward ops that do not carry gradients themselves: shapes, constants, pushes.
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

/// Analyses of a graph whose gradient ops have owners already.
struct HelperFacts {
  const Graph& graph;
  const Consumers& consumers;
  const OpFactsTable& facts;
  const StackLinks& stacks;
  const Phases& phases;
  const BackwardReads& reads;
  const ForwardWalks& walks;
};

/// Assigns to each backward op without an owner the owner of its consumers or, if there is none, of
/// the nearest op in file order that uses the same tensor. `owners`: by op. Cost: O(ops + edges).
void give_to_helpers(const HelperFacts& known, std::vector<OpId>& owners);

}  // namespace tideline
