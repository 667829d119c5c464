// The loops of TensorFlow 1: their frames and ops, and the forward loop of each backward loop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/structure/phases.h"
#include "core/analysis/structure/stack_links.h"
#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// One loop. Lists are in file order.
struct WhileFrame {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  std::string name;              ///< the frame_name of its Enter ops
  std::uint32_t parent = kNone;  ///< the enclosing loop
  std::uint32_t depth = 1;
  std::int64_t parallel_iterations = 10;  ///< of the first Enter that has it
  OpId condition;                         ///< its LoopCond; invalid when there is none
  std::vector<OpId> enters, merges, switches, next_iterations, exits;
  std::uint32_t op_count = 0;     ///< ops that run in it, as in WhileFrames::frame_of
  Phase phase = Phase::kOther;    ///< of its condition
  std::uint32_t forward = kNone;  ///< of a backward loop: the loop whose stacks it pops
};

struct WhileFrames {
  std::vector<WhileFrame> frames;  ///< in the order of their first Enter; parents first
  std::vector<std::uint32_t>
      frame_of;              ///< by op: the loop it runs in, or WhileFrame::kNone; an Enter
                             ///< runs in the loop it leads to, an Exit in the one it leaves
  std::int64_t misfits = 0;  ///< ops that read from several loops, and Exits outside of loops
};

/// Computed from Enter, Exit, data and control edges; op names are not used. Malformed loops (an
/// Exit without a loop) are counted, not errors. Cost: O(ops + edges). Errors: kCorrupt for
/// attributes of Enter ops that cannot be decoded. Thread: pure.
[[nodiscard]] Result<WhileFrames> find_while_frames(const Graph& graph, const OpFactsTable& facts,
                                                    const StackLinks& stacks, const Phases& phases);

}  // namespace tideline
