// Forward pass, backward pass, update: what every op of a training graph is there for.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/structure/gradient_flow.h"
#include "core/analysis/structure/stack_links.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

enum class Phase : std::uint8_t {
  kOther,     ///< initialization, saving, summaries, and what leads nowhere else
  kForward,   ///< up to the loss, metrics and moving averages included
  kBackward,  ///< from the seeds to the gradients of the variables, and what only exists for that
  kUpdate,    ///< from there to the written variables: clipping, averaging, learning rates, slots
};
inline constexpr std::size_t kPhaseCount = 4;

/// "other", "forward", "backward", "update".
[[nodiscard]] const char* phase_name(Phase phase);

struct Phases {
  std::vector<Phase> of_op;
  std::array<std::int64_t, kPhaseCount> count{};  ///< ops, by phase
  /// Ops that write variables with what became of gradients, in file order: optimizer steps by
  /// their type, and assignments of values that depend on a seed.
  std::vector<OpId> updates;

  [[nodiscard]] Phase of(OpId op) const { return of_op[op.index()]; }
};

/// Decided from edges and op types. Of ops that no edge ties to a pass (their outputs are read by
/// nobody) the place in the file decides. A graph without optimizer and without gradients is all
/// forward, but for initialization, saving and summaries. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] Phases find_phases(const Graph& graph, const Consumers& consumers,
                                 const OpFactsTable& facts, const StackLinks& stacks,
                                 const GradientFlow& flow);

}  // namespace tideline
