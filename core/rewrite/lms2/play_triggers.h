// For every op that may read a swap-in: the op that would trigger it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms2/play_graph.h"

namespace tideline::lms2 {

/// In how many levels a trigger is looked for, as in the reference.
inline constexpr std::int32_t kLevelsTried = 10;

/// By place in PlayGraph::destinations: the rank of the trigger, kNoIndex without one. Of the ten
/// levels below level(destination) - ahead, the highest with an op that may trigger and leads to
/// the destination over data edges; there the first in file order. That level may still be too low
/// for a producer: the caller compares. Cost: for each 64 destinations, the edges between the
/// highest of them and the lowest level of interest. Thread: pure.
[[nodiscard]] std::vector<std::uint32_t> find_play_triggers(const PlayGraph& graph, int ahead);

}  // namespace tideline::lms2
