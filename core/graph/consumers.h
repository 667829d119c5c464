// The outgoing edges of every op: the inverse of a graph's input lists.
#pragma once

#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/graph/graph.h"

namespace tideline {

/// One use of an op's output, by input `slot` of `consumer`. graph.inputs() has the output slot.
struct Use {
  OpId consumer;
  std::uint32_t slot = 0;
};

/// Readers of every op, in file order of the readers, then by slot.
/// Cost: O(ops + edges) to build, O(1) a query. Thread: immutable once built.
class Consumers {
 public:
  explicit Consumers(const Graph& graph);

  /// Data edges out of `op`; a consumer that reads it twice is listed twice.
  [[nodiscard]] std::span<const Use> data(OpId op) const {
    return {uses_.data() + first_use_[op.index()],
            first_use_[op.index() + 1] - first_use_[op.index()]};
  }
  /// Ops with a control edge from `op`.
  [[nodiscard]] std::span<const OpId> control(OpId op) const {
    return {waiters_.data() + first_waiter_[op.index()],
            first_waiter_[op.index() + 1] - first_waiter_[op.index()]};
  }

 private:
  std::vector<std::uint32_t> first_use_;
  std::vector<std::uint32_t> first_waiter_;
  std::vector<Use> uses_;
  std::vector<OpId> waiters_;
};

}  // namespace tideline
