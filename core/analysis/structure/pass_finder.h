// The passes of a training graph, as if the copies of its swaps were not there.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/stack_links.h"
#include "core/analysis/swap_copies.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Finds gradients, phases and pairs in a graph that may hold swaps already. Every op has what it
/// has in the graph without them, in which the readers of a copy read the copied tensor and nothing
/// waits for a copy. The copies themselves belong to no pass. Everything passed in must outlive
/// this. Cost: nothing without copies, else O(ops + edges) for another graph. Thread: immutable.
class PassFinder {
 public:
  PassFinder(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
             const StackLinks& stacks, const SwapCopies& copies);

  /// As find_gradient_flow, find_phases and find_gradient_pairs, by op of the graph. Of a copy:
  /// Flow::kNone, Phase::kOther, no forward op.
  [[nodiscard]] const GradientFlow& flow() const { return flow_; }
  [[nodiscard]] const Phases& phases() const { return phases_; }
  [[nodiscard]] std::vector<OpId> gradient_pairs() const;

 private:
  /// The graph without copies.
  struct Without {
    explicit Without(Graph graph, const OpFactsTable& facts);
    Graph graph;
    Consumers consumers;
    StackLinks stacks;
    GradientFlow flow;
    Phases phases;
  };
  void spread();
  [[nodiscard]] OpId original(OpId op) const { return op.valid() ? original_[op.index()] : op; }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const StackLinks& stacks_;
  GradientFlow flow_;
  Phases phases_;
  std::optional<Without> without_;  // nullopt when there are no copies
  std::vector<OpId> original_;      // by op of `without_`
};

}  // namespace tideline
