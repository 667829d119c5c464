// The memory of a step at every step, as a run of the clock sees it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/clock_run.h"

namespace tideline {

/// `step`, of which `input` was made, with what a run of the clock did: as StepClock::timeline.
/// Cost: O(ops + buffers + events).
[[nodiscard]] FaithfulStep clock_timeline(const StepGraph& graph, const FaithfulStep& step,
                                          const ClockInput& input,
                                          const std::vector<std::uint32_t>& memory_of,
                                          const std::vector<ClockEvent>& events);

}  // namespace tideline
