// The memory of a step by level, the axis that its original and its rewritten graph share.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/units.h"
#include "core/memory/timeline.h"

namespace tideline {

/// By step: the level that the step has reached, which never falls. `levels` are those of the ops,
/// `device` the bytes on the device, both by step. Equal to `levels` if these do not fall. Cost:
/// O(steps * log steps).
[[nodiscard]] std::vector<std::int32_t> rising_levels(const std::vector<std::int32_t>& levels,
                                                      const std::vector<Bytes>& device);

/// The most of the steps of a level.
struct LevelMemory {
  std::int32_t level = 0;
  Bytes device = 0;
  Bytes host = 0;
};
/// The levels that the steps reach, in order. Cost: that of rising_levels.
[[nodiscard]] std::vector<LevelMemory> memory_by_level(const MemoryTimeline& timeline);

}  // namespace tideline
