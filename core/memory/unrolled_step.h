// A step with the rounds of its loops written out, each op once for every round.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/memory/step_graph.h"
#include "core/memory/step_schedule.h"
#include "core/memory/written_rounds.h"

namespace tideline {

struct UnrolledStep {
  StepGraph graph;
  StepSchedule schedule;                 ///< in the order of the executor
  std::vector<std::uint32_t> first_op;   ///< by op of the step: its op in round 0; others follow
  std::vector<std::uint32_t> first_end;  ///< by loop: the op that ends its round 0; others follow
  OpId end;                              ///< runs last
  std::vector<OpId> op_of;               ///< by op: of the step; invalid for what ends a round
  std::vector<std::uint32_t> round_of;   ///< by op
  std::vector<std::uint32_t> tensor_of;  ///< by tensor: of the step
  /// By tensor: 0, or how many elements of a TensorArray it stands for.
  std::vector<std::int64_t> elements;

  [[nodiscard]] OpId at(OpId op, std::uint32_t round) const {
    return OpId{first_op[op.index()] + round};
  }
  [[nodiscard]] OpId end_of(std::uint32_t loop, std::uint32_t round) const {
    return OpId{first_end[loop] + round};
  }
  /// What an op in a round of `loop` reads where an op of `step` reads `tensor`.
  [[nodiscard]] std::uint32_t tensor_read(const WrittenRounds& rounds, const StepGraph& step,
                                          std::uint32_t tensor, std::uint32_t loop,
                                          std::uint32_t round) const;
};

/// `step`, of which `rounds` are written. Nullopt when they cannot be: a cycle that is no loop, or
/// an op that reads what does not run. Cost: O(ops and edges of what is written). Thread: pure.
[[nodiscard]] std::optional<UnrolledStep> unroll(const StepGraph& step,
                                                 const WrittenRounds& rounds);

}  // namespace tideline
