// Where gradients begin, and which ops carry them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/structure/stack_links.h"
#include "core/base/diagnostics.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// What an op has to do with the gradients of the graph.
enum class Flow : std::uint8_t {
  kNone,     ///< its outputs do not vanish with the seeds, or in no linear way
  kEmpty,    ///< starts as zeros or nothing, whatever flows
  kCarries,  ///< its outputs are linear in the seeds: a gradient, or a multiple of one
};

struct GradientFlow {
  /// Ops that make the first gradient of a backward pass (the ones at the loss), best first.
  std::vector<OpId> seeds;
  std::vector<Flow> of_op;
  /// By op: whether it adds up what comes from different seeds. Only ever set where of_op carries.
  std::vector<bool> mixes_seeds;
  /// By op: whether it carries the gradient of a backward pass whose result goes into a loss, so
  /// that another backward pass follows (gradient penalties). Only ever set where of_op carries.
  std::vector<bool> is_inner;
  /// By op: whether its outputs are the same in every step (shapes count as the same).
  std::vector<bool> is_constant;
  /// An op whose flow was still changing after kMostRounds; invalid: none was. More ops than those
  /// that do may then count as carrying gradients.
  OpId unsettled;

  [[nodiscard]] bool carries(OpId op) const { return of_op[op.index()] == Flow::kCarries; }
};

/// How often what loops carry is followed around. A round reaches one value further that a loop
/// hands on to another one, or one loop further in: TensorFlow's own graphs settle in 4. A limit
/// there has to be, for the time that a made-up file may take.
inline constexpr int kMostRounds = 24;

/// Decided from edges and op types; names play no part. Cost: O((ops + edges) x rounds), at most
/// kMostRounds. Thread: pure.
[[nodiscard]] GradientFlow find_gradient_flow(const Graph& graph, const OpFactsTable& facts,
                                              const StackLinks& stacks);

/// Adds a notice when `flow` did not settle.
void note_unsettled(const Graph& graph, const GradientFlow& flow, Diagnostics& diagnostics);

}  // namespace tideline
