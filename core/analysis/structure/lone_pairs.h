// Forward ops that the type of a backward op and what it reads leave no doubt about.
#pragma once

#include "core/analysis/structure/backward_reads.h"
#include "core/analysis/structure/forward_walks.h"
#include "core/analysis/structure/phases.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Everything that is passed in must outlive this. Cost: bounded for each op (kMostUses).
/// Thread: immutable.
class LonePairs {
 public:
  LonePairs(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
            const Phases& phases, const BackwardReads& reads, const ForwardWalks& walks)
      : graph_(graph),
        consumers_(consumers),
        facts_(facts),
        phases_(phases),
        reads_(reads),
        walks_(walks) {}

  /// Of a gradient op that says which inputs it kept: the one forward op of its type around all of
  /// them; invalid when there are several or none, and for other ops.
  [[nodiscard]] OpId around_kept(OpId op) const;
  /// The one forward op around all tensors that `op` reads whose gradient may have an op of this
  /// type; invalid when there are several or none.
  [[nodiscard]] OpId around_read(OpId op) const;

 private:
  [[nodiscard]] bool is_forward(OpId op) const { return phases_.of(op) == Phase::kForward; }

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const Phases& phases_;
  const BackwardReads& reads_;
  const ForwardWalks& walks_;
};

}  // namespace tideline
