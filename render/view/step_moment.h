// A moment of a step: where the swapped tensors are, and what the memory holds. What the step
// player shows, in the window, in recorded frames and on the page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/view/memory_view.h"
#include "render/view/swap_layout.h"

namespace tideline::render {

/// What happens to a swapped tensor.
enum class Whereabouts : std::uint8_t {
  kLeaving,  ///< from its producer to the host
  kHost,     ///< parked
  kComing,   ///< from the host to its reader
  kRead,     ///< its reader runs
};

struct MovingTensor {
  std::uint32_t bar = 0;   ///< index of SwapLayout::bars
  std::uint32_t span = 0;  ///< index of SwapLayout::spans: the way that comes back; else the first
  Whereabouts where = Whereabouts::kHost;
  float share_0_1 = 0;  ///< of its way, what lies behind it
};

/// The tensors that are swapped at `at`, by bar: a level and a share of it. A tensor leaves during
/// the level of its producer, and comes back from the level of its swap-in until its reader runs;
/// meanwhile, for as long as another reader needs a copy, it is on the host, too. Empty for a
/// number that is no level. Cost: O(spans). Thread: pure.
[[nodiscard]] std::vector<MovingTensor> moving_tensors(const SwapLayout& swaps, double at);

/// The memory of the shown step at a level, as the curves and the table of the memory view have it.
struct MemoryMoment {
  std::int32_t level = 0;
  Bytes device = 0;
  Bytes host = 0;
  Bytes highest = 0;  ///< of the device, up to and with this level
};
/// Precondition: the axis of `memory` is that of levels. Levels outside count as the nearest one.
/// Cost: O(log levels). Thread: pure.
[[nodiscard]] MemoryMoment memory_moment(const MemoryLayout& memory, double at);

/// As text: "level 45: device 279.92 MiB, host 64.00 MiB, highest so far 300.00 MiB", then shorter.
[[nodiscard]] std::vector<std::string> moment_wordings(const MemoryMoment& moment, bool has_host);

/// The moments of `count` frames over the levels that `range` shows, in the middle of equal parts.
/// Without a `count` one for each level. Thread: pure.
[[nodiscard]] std::vector<double> frame_moments(VisibleRange range, std::int32_t levels,
                                                std::int32_t count);

}  // namespace tideline::render
