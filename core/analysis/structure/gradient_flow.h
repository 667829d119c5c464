// The seeds of backward passes, and the ops that carry gradients.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/structure/stack_links.h"
#include "core/base/diagnostics.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// How the outputs of an op depend on the seeds.
enum class Flow : std::uint8_t {
  kNone,     ///< not, or non-linearly
  kEmpty,    ///< starts as zeros or empty, independent of the seeds
  kCarries,  ///< its outputs are linear in the seeds: a gradient, or a multiple of one
};

/// The result. Vectors are by op.
struct GradientFlow {
  /// Ops that produce the first gradient of a backward pass (the ones at the loss), the most likely
  /// seed first.
  std::vector<OpId> seeds;
  std::vector<Flow> of_op;
  /// Whether it sums gradients of different seeds. Set only where of_op is kCarries.
  std::vector<bool> mixes_seeds;
  /// Whether it carries the gradient of a backward pass whose result is part of a loss, so that
  /// another backward pass follows (gradient penalties). Set only where of_op is kCarries.
  std::vector<bool> is_inner;
  /// Whether its outputs are the same in every step (shapes are taken to be).
  std::vector<bool> is_constant;
  /// An op whose flow still changed after kMostRounds, or invalid. If valid, some ops may wrongly
  /// count as carrying gradients.
  OpId unsettled;

  [[nodiscard]] bool carries(OpId op) const { return of_op[op.index()] == Flow::kCarries; }
};

/// Limit on the iterations to a fixed point over loops. Each one propagates through one more
/// loop-carried value or nested loop; graphs made by TensorFlow settle within 4. The limit bounds
/// the time for adversarial files.
inline constexpr int kMostRounds = 24;

/// Computed from edges and op types; names are not used. Cost: O((ops + edges) x rounds), with at
/// most kMostRounds rounds. Thread: pure.
[[nodiscard]] GradientFlow find_gradient_flow(const Graph& graph, const OpFactsTable& facts,
                                              const StackLinks& stacks);

/// Adds a notice when `flow` did not settle.
void note_unsettled(const Graph& graph, const GradientFlow& flow, Diagnostics& diagnostics);

}  // namespace tideline
