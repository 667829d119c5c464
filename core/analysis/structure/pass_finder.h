// The passes of a training graph, as if the copies of its swaps were not there.
#pragma once

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/stack_links.h"
#include "core/analysis/swap_copies.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Finds gradients and phases in a graph that may hold swaps already. Every op has what it has in
/// the graph without them, in which the readers of a copy read the copied tensor and nothing waits
/// for a copy. The copies themselves belong to no pass. Cost: that of find_gradient_flow and
/// find_phases; with copies O(ops + edges) more, for another graph. Thread: immutable.
class PassFinder {
 public:
  PassFinder(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
             const StackLinks& stacks, const SwapCopies& copies, const CalledHandles& calls);

  /// As find_gradient_flow and find_phases, by op of the graph. Of a copy: Flow::kNone,
  /// Phase::kOther.
  [[nodiscard]] const GradientFlow& flow() const { return flow_; }
  [[nodiscard]] const Phases& phases() const { return phases_; }

 private:
  GradientFlow flow_;
  Phases phases_;
};

}  // namespace tideline
