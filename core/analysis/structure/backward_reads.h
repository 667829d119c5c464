// The forward tensors that ops of a backward pass read, traced through ops that only pass values
// on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Forward tensors read by backward ops: traced through Enter, views and stacks, and through helper
/// ops that carry no gradient (shapes, constants, 2 * x). At most kMostTensors are kept for an op.
/// Everything passed in must outlive this. Cost: O(ops + edges) to build. Thread: immutable.
class BackwardReads {
 public:
  static constexpr std::size_t kMostTensors = 8;

  BackwardReads(const Graph& graph, const OpFactsTable& facts, const StackLinks& stacks,
                const GradientFlow& flow, const Phases& phases);

  /// Whether `op` is part of the chain of gradients itself.
  [[nodiscard]] bool carries(OpId op) const {
    return flow_->carries(op) && phases_->of(op) == Phase::kBackward;
  }
  /// The tensors of other phases that `op` reads, directly or through helpers; without duplicates.
  [[nodiscard]] std::vector<TensorId> of(OpId op) const;
  /// The tensor that a backward Enter, view or pop passes on as `tensor`.
  [[nodiscard]] TensorId behind(TensorId tensor) const;

 private:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  void collect(OpId op, std::vector<TensorId>& found) const;

  const Graph* graph_;
  const OpFactsTable* facts_;
  const StackLinks* stacks_;
  const GradientFlow* flow_;
  const Phases* phases_;
  std::vector<Range> helper_reads_;  // by op; of helpers only
  std::vector<TensorId> tensors_;
};

}  // namespace tideline
