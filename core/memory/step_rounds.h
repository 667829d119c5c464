// What is to be known of the v1 loops of a graph to write their rounds out.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/loop_count.h"
#include "core/memory/containers.h"
#include "core/memory/loop_holds.h"

namespace tideline {

/// What an op is to the loop it belongs to.
enum class LoopRole : std::uint8_t {
  kNone,
  kEnter,
  kInvariant,  ///< an Enter, the value of which all rounds read
  kExit,
  kNextIteration,
  kMerge,   ///< of a variable of the loop; Merges of conditionals have no role
  kSwitch,  ///< by the condition of the loop
};

/// The loops of a graph, by frame as in WhileFrames, and their ops. Thread: immutable once made.
struct StepRounds {
  static constexpr std::uint32_t kNone = WhileFrame::kNone;

  struct Loop {
    std::uint32_t parent = kNone;
    std::int64_t rounds = 1;  ///< for each time that it is entered; at least 1
    std::int64_t parallel = 10;
    bool is_backward = false;  ///< its rounds take the last elements first
  };
  /// An op that puts into a container, or takes out of it.
  struct Use {
    OpId op;
    std::uint64_t container = 0;
    std::uint32_t value_slot = 0;
    bool puts = false;
    bool is_all = false;    ///< uses all elements
    bool is_stack = false;  ///< the last value that was put in is the first to be taken out
    bool clears = false;    ///< what is taken leaves the container
  };

  std::vector<Loop> loops;
  std::vector<std::uint32_t> loop_of;  ///< by op: as WhileFrames::frame_of
  std::vector<LoopRole> roles;         ///< by op
  std::vector<Use> uses;               ///< in file order
};

/// `counts` are those of the loops, as count_loops finds them. Cost: O(ops). Thread: pure.
[[nodiscard]] StepRounds find_step_rounds(const LoopGraph& graph,
                                          const std::vector<LoopCount>& counts);

}  // namespace tideline
