// The inputs of a forward op with respect to which a backward op is the gradient.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/analysis/structure/backward_reads.h"
#include "core/analysis/structure/forward_walks.h"
#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/phases.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// Limit on the parts of one gradient that are considered; far above what training graphs have.
inline constexpr std::size_t kMostGradientParts = 64;

/// The NoOp that `op`, the end of a gradient, waits for; invalid for other ops. TensorFlow 1 adds
/// an Identity for every input of a forward op, which waits for all parts of its gradient.
[[nodiscard]] OpId gradient_group(const Graph& graph, OpId op);

/// For ops whose forward op is known. `owners` may grow between calls; results are cached until
/// forget(). Everything passed in must outlive this. Thread: not shared.
class GradientTargets {
 public:
  GradientTargets(const Graph& graph, const Consumers& consumers, const OpFactsTable& facts,
                  const GradientFlow& flow, const Phases& phases, const BackwardReads& reads,
                  ForwardWalks& walks, const std::vector<OpId>& owners,
                  const std::vector<bool>& ends_gradient)
      : graph_(graph),
        consumers_(consumers),
        facts_(facts),
        flow_(flow),
        phases_(phases),
        reads_(reads),
        walks_(walks),
        owners_(owners),
        ends_gradient_(ends_gradient) {}

  /// The inputs of its forward op that `op` may be the gradient of: one when certain.
  [[nodiscard]] const std::vector<TensorId>& of(OpId op);
  void forget() { found_.clear(); }
  /// Whether `tensor` is a variable, constant or fed value, possibly behind views.
  [[nodiscard]] bool is_leaf(TensorId tensor) const;

 private:
  [[nodiscard]] const OpFacts& facts(OpId op) const { return facts_.of(graph_, op); }
  [[nodiscard]] OpKind kind(OpId op) const { return facts(op).kind; }
  [[nodiscard]] OpId owner(OpId op) const { return owners_[op.index()]; }

  [[nodiscard]] std::vector<TensorId> find(OpId op);
  [[nodiscard]] std::optional<TensorId> certain_input(OpId made_by, std::uint32_t slot,
                                                      OpId forward,
                                                      const std::vector<TensorId>& inputs) const;
  [[nodiscard]] bool negates(OpId op, OpId forward) const;
  void collect_factors(OpId op, OpId forward, std::vector<TensorId>& factors, int depth) const;
  [[nodiscard]] std::optional<TensorId> in_turn(OpId op, const std::vector<TensorId>& inputs) const;
  [[nodiscard]] std::vector<TensorId> look_ahead(OpId op, const std::vector<TensorId>& rest,
                                                 std::optional<TensorId> in_turn);

  const Graph& graph_;
  const Consumers& consumers_;
  const OpFactsTable& facts_;
  const GradientFlow& flow_;
  const Phases& phases_;
  const BackwardReads& reads_;
  ForwardWalks& walks_;
  const std::vector<OpId>& owners_;
  const std::vector<bool>& ends_gradient_;
  std::unordered_map<std::uint32_t, std::vector<TensorId>> found_;
};

}  // namespace tideline
