// Links from pushes to pops of the stacks that v1 loops use for their gradients.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// A v1 loop pushes what its gradient will need onto stacks, one value per iteration; the backward
/// loop pops them. No edge leads from push to pop; they share a handle, and are matched here by the
/// op that creates it, traced back through Enter, Identity and Switch. Of more than kMostLinks
/// pushes or pops of one stack only the first are kept; loops normally have one. Cost: O(ops).
/// Thread: immutable once built.
class StackLinks {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::size_t kMostLinks = 64;

  StackLinks(const Graph& graph, const OpFactsTable& facts);

  [[nodiscard]] bool any() const { return !stack_of_.empty(); }
  [[nodiscard]] std::size_t count() const { return pushes_.size(); }
  /// The stack that `op` pushes to or pops from; kNone for all other ops.
  [[nodiscard]] std::uint32_t stack_of(OpId op) const {
    return stack_of_.empty() ? kNone : stack_of_[op.index()];
  }
  /// In file order.
  [[nodiscard]] std::span<const OpId> pushes(std::uint32_t stack) const { return pushes_[stack]; }
  [[nodiscard]] std::span<const OpId> pops(std::uint32_t stack) const { return pops_[stack]; }

 private:
  std::vector<std::uint32_t> stack_of_;  // by op; empty when there are no stacks
  std::vector<std::vector<OpId>> pushes_;
  std::vector<std::vector<OpId>> pops_;
};

/// Follows the first input of `op` back through views, Enter, Switch and reads. Stops after a fixed
/// number of ops, which bounds the cost of long chains.
[[nodiscard]] OpId behind_views(const Graph& graph, const OpFactsTable& facts, OpId op);

/// Calls `visit(op)` for every producer of `op`: over data edges and, for a pop, its pushes.
template <typename Visit>
void for_each_producer(const Graph& graph, const OpFactsTable& facts, const StackLinks& stacks,
                       OpId op, const Visit& visit) {
  for (const TensorId input : graph.inputs(op)) visit(input.op);
  const std::uint32_t stack = stacks.stack_of(op);
  if (stack == StackLinks::kNone || !facts.of(graph, op).popped) return;
  for (const OpId push : stacks.pushes(stack)) visit(push);
}

}  // namespace tideline
