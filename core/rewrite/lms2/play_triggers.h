// The trigger of a swap-in for every op that may read one.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms2/play_graph.h"

namespace tideline::lms2 {

/// In how many levels a trigger is looked for, as in the reference.
inline constexpr std::int32_t kLevelsTried = 10;

/// By index of PlayGraph::destinations: the rank of the trigger, or kNoIndex. Searches the ten
/// levels below level(destination) - ahead, from the highest down, for an op that may trigger and
/// leads to the destination over data edges; the first in file order wins. The result may be at or
/// below the level of a swapped tensor's producer, which the caller checks. Cost: for each 64
/// destinations, the edges between the highest of them and the lowest level searched. Thread: pure.
[[nodiscard]] std::vector<std::uint32_t> find_play_triggers(const PlayGraph& graph, int ahead);

}  // namespace tideline::lms2
