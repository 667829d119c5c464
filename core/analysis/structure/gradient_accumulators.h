// The cycles of backward loops that accumulate the gradient of a loop-invariant input.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// The pattern Merge -> Switch -> Add(Switch:1, gradient) -> NextIteration -> Merge.
/// Graph and facts must outlive this. Cost: O(1) per call. Thread: not shared.
class GradientAccumulators {
 public:
  GradientAccumulators(const Graph& graph, const OpFactsTable& facts)
      : graph_(graph), facts_(facts), is_accumulator_(graph.op_count()) {}

  /// Records the accumulator of `op` if it is such a Merge.
  void find(OpId op);
  [[nodiscard]] bool is_merge(OpId op) const { return is_accumulator_[op.index()]; }
  /// For the Add of an accumulator, the input that is the sum so far; invalid for other ops.
  [[nodiscard]] OpId old_value(OpId op) const {
    const auto sum = sum_term_.find(op.value);
    return sum == sum_term_.end() ? OpId() : sum->second;
  }
  /// Whether `op`, which reads `before`, is the Merge, Switch, NextIteration or Exit of one.
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
