// Bounded searches through a forward pass, used to match gradients with forward ops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Searches consider only this many consumers or inputs of an op, the first ones.
inline constexpr std::size_t kMostUses = 256;
[[nodiscard]] inline std::span<const Use> some_uses(const Consumers& consumers, OpId op) {
  const auto uses = consumers.data(op);
  return uses.first(std::min(uses.size(), kMostUses));
}
/// Whether `forward` produces or reads `tensor`, within the first kMostUses inputs.
[[nodiscard]] inline bool touches(const Graph& graph, OpId forward, TensorId tensor) {
  if (tensor.op == forward) return true;
  const auto all = graph.inputs(forward);
  const auto inputs = all.first(std::min(all.size(), kMostUses));
  return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

/// Every search visits at most a fixed number of ops. Everything passed in must outlive this.
/// Thread: not shared (searches mark the ops they visit).
class ForwardWalks {
 public:
  struct Near {
    OpId op;
    int distance = 0;
    std::size_t paths = 1;
  };

  ForwardWalks(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
               const GradientFlow& flow, const Phases& phases);

  /// Whether op type `gradient` is declared to compute the gradient of type `forward`. Type ids.
  [[nodiscard]] bool is_gradient_of(std::uint32_t gradient, std::uint32_t forward) const;
  /// Whether type `backward` occurs in the gradient of type `forward`. Type ids.
  [[nodiscard]] bool is_made_of(std::uint32_t forward, std::uint32_t backward) const;
  /// Whether the gradient of `op` may be the incoming gradient itself.
  [[nodiscard]] bool hands_on(OpId op) const { return hands_on_[graph_->type_id(op)]; }

  /// Inputs of `op` that have a gradient according to its type; without duplicates.
  [[nodiscard]] std::vector<TensorId> differentiable(OpId op) const;
  /// Forward ops that produced `tensors`, which are inputs of `op`, and upstream ops as long as
  /// gradients are passed on unchanged; nearest first.
  [[nodiscard]] std::vector<Near> producers(OpId op, std::span<const TensorId> tensors) const;
  /// The ends of the forward pass downstream of `op`, and the ops leading there, by distance from
  /// the end.
  [[nodiscard]] std::vector<Near> ends_behind(OpId op) const;
  /// The number of `tensors` produced by `op` or upstream of it, and the negated distance of the
  /// nearest.
  [[nodiscard]] std::pair<int, int> behind(OpId op, const std::vector<TensorId>& tensors);
  /// The nearest forward op downstream of `op` for which `fits` holds, searched as long as
  /// gradients are passed on unchanged; invalid when there is none.
  template <typename Fits>
  [[nodiscard]] OpId reader(OpId op, const Fits& fits) const {
    constexpr std::size_t kMostOps = 200;
    std::vector<OpId> seen = {op};
    for (std::size_t i = 0; i < seen.size() && seen.size() < kMostOps; ++i) {
      if (i > 0 && !hands_on(seen[i])) continue;
      const auto uses = consumers_->data(seen[i]);
      for (const Use use : uses.first(std::min(uses.size(), kMostOps))) {
        if (phases_->of(use.consumer) != Phase::kForward || seen.size() >= kMostOps ||
            std::find(seen.begin(), seen.end(), use.consumer) != seen.end()) {
          continue;
        }
        if (fits(use.consumer)) return use.consumer;
        seen.push_back(use.consumer);
      }
    }
    return {};
  }

 private:
  const Graph* graph_;
  const Consumers* consumers_;
  const OpFactsTable* facts_;
  const GradientFlow* flow_;
  const Phases* phases_;
  std::vector<std::vector<std::uint32_t>> made_of_;      // by forward type id, sorted
  std::vector<std::vector<std::uint32_t>> gradient_of_;  // by gradient type id, sorted
  std::vector<bool> hands_on_;                           // by type id
  std::vector<std::uint32_t> met_;                       // by op: the last walk that met it
  std::uint32_t walk_ = 0;
};

}  // namespace tideline
