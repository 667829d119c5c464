// The phase of a training step that each op belongs to: forward pass, backward pass, or update.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/structure/called_handles.h"
#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

enum class Phase : std::uint8_t {
  kOther,     ///< initialization, saving, summaries, ops that only they use; copies of swaps
  kForward,   ///< up to the loss, metrics and moving averages included
  kBackward,  ///< from the seeds to the gradients of the variables, and ops only used for that
  kUpdate,    ///< from the gradients to the variables: clipping, averaging, learning rates, slots
};
inline constexpr std::size_t kPhaseCount = 4;

/// "other", "forward", "backward", "update".
[[nodiscard]] const char* phase_name(Phase phase);

struct Phases {
  std::vector<Phase> of_op;
  std::array<std::int64_t, kPhaseCount> count{};  ///< ops, by phase
  /// Ops that write variables with values derived from gradients, in file order: optimizer ops, and
  /// assignments of values that depend on a seed, and calls that do either inside.
  std::vector<OpId> updates;
  /// By op: whether it depends on a seed and is no update.
  std::vector<bool> after_seed;

  [[nodiscard]] Phase of(OpId op) const { return of_op[op.index()]; }
};

/// Computed from edges and op types; file order breaks ties, for ops whose outputs nobody reads. In
/// a graph without optimizer and gradients everything except initialization, saving and summaries
/// is forward. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] Phases find_phases(const Graph& graph, const Consumers& consumers,
                                 const OpFactsTable& facts, const StackLinks& stacks,
                                 const GradientFlow& flow, const CalledHandles& calls);

}  // namespace tideline
