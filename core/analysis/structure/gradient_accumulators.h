// Loops that sum up the gradients of a constant input, one iteration after the other.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Merge -> Switch -> Add(Switch:1, what is added) -> NextIteration -> Merge.
/// Precondition: graph and facts outlive it.
class GradientAccumulators {
 public:
  GradientAccumulators(const Graph& graph, const OpFactsTable& facts)
      : graph_(graph), facts_(facts), is_accumulator_(graph.op_count()) {}

  /// Remembers what hangs on `op` when it is such a Merge.
  void find(OpId op);
  [[nodiscard]] bool is_merge(OpId op) const { return is_accumulator_[op.index()]; }
  /// Of the sum: the input that is the sum so far; invalid for other ops.
  [[nodiscard]] OpId old_value(OpId op) const {
    const auto sum = sum_term_.find(op.value);
    return sum == sum_term_.end() ? OpId() : sum->second;
  }
  /// Whether `op`, behind `before`, is part of one but no sum: Merge, Switch, NextIteration, Exit.
  [[nodiscard]] bool contains(OpId op, const std::vector<OpId>& before) const;

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.of(graph_, op).kind; }
  [[nodiscard]] OpId behind_copies(OpId op) const;

  const Graph& graph_;
  const OpFactsTable& facts_;
  std::vector<bool> is_accumulator_;
  std::unordered_map<std::uint32_t, OpId> sum_term_;  // the sum -> its own old value
};

}  // namespace tideline
