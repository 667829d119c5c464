// Memory and copies over the estimated time of a step: the layout for MemoryAxis::kTime.
#pragma once

#include <cstdint>

#include "render/view/memory_view.h"

namespace tideline::render {

/// The positions of the layout; none where the step of the device has no clock, or takes no time.
struct ClockPositions {
  double unit_ns = 1;
  std::int32_t count = 0;
};
/// Cost: O(ops + copies).
[[nodiscard]] ClockPositions clock_positions(const Scene& scene, std::size_t device);
/// Whether the step of the device has a clock, as with a device profile. Cost: O(1).
[[nodiscard]] bool has_clock(const Scene& scene, std::size_t device);

/// Where an op begins in a layout of kTime; -1 for one that takes no time of the device.
[[nodiscard]] std::int32_t clock_position(const Scene& scene, const MemoryLayout& memory, OpId op);

/// Positions are intervals of the step's time, at most about 100 000 of them; none without a clock.
/// A position shows the most that is held within it. A step of the unedited graph stands where its
/// op runs in the shown step, as on the axis of steps; host memory counts from the op that is
/// copied, not from its copy (StepClock::timeline). Cost: O(steps + positions + copies x log
/// levels). Thread: pure.
[[nodiscard]] MemoryLayout layout_clock_time(const Scene& scene, std::uint32_t device);

}  // namespace tideline::render
