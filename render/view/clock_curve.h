// The estimated time of a step as an axis: the positions of MemoryAxis::kTime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/view/memory_view.h"

namespace tideline::render {

/// Intervals of the step's time, at most about 100 000; none where the step of the device has no
/// clock, or takes no time. A position shows the most that is held within it; host memory counts
/// from the op that is copied, not from its copy (StepClock::timeline).
struct ClockPositions {
  double unit_ns = 1;
  std::int32_t count = 0;
};
/// Cost: O(ops + copies).
[[nodiscard]] ClockPositions clock_positions(const Scene& scene, std::size_t device);
/// Whether the step of the device has a clock, as with a device profile; a `device` out of range
/// means the last one. Cost: O(1).
[[nodiscard]] bool has_clock(const Scene& scene, std::size_t device);

/// Where an op begins in a layout of kTime; -1 for one that takes no time of the device.
[[nodiscard]] std::int32_t clock_position(const Scene& scene, const MemoryLayout& memory, OpId op);

/// By step of `timeline`, which may be that of the unedited graph: the position at which the shown
/// step has got to its op. Precondition: there are positions. Cost: O(steps).
[[nodiscard]] std::vector<std::int32_t> clock_begins(const Scene& scene, std::size_t device,
                                                     const MemoryTimeline& timeline,
                                                     ClockPositions positions);

}  // namespace tideline::render
