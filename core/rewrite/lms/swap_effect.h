// What each swap of a plan does for the peak of device memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/swap_copies.h"
#include "core/memory/faithful.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/lms/planned_swap.h"

namespace tideline {

/// Where a swapped tensor is at the step of the device peak.
enum class AtPeak : std::uint8_t {
  kAway,        ///< on the host: the swap lowers the peak
  kStillThere,  ///< not yet released on the device
  kBack,        ///< on the device again
  kNotAlive,    ///< not yet produced, or not needed any more
  kNotRun,      ///< the step does not produce it
};
/// "away", "still on the device", "back on the device", "not alive", "not run".
[[nodiscard]] std::string_view at_peak_name(AtPeak place);

struct SwapEffect {
  AtPeak at_peak = AtPeak::kNotRun;
  Bytes bytes = 0;  ///< of the tensor, in whole blocks
  /// There is room below the peak for the tensor, and for all others that have room with it.
  bool has_room = false;
  /// Keeping the tensor instead does not raise the peak, nor does keeping all idle ones: set by
  /// confirm_idle (idle_swaps.h) alone.
  bool is_idle = false;
  /// The tensor is copied to the host, but nothing reads what comes back, since TensorFlow folds
  /// all that would.
  bool is_unread = false;
};

/// By index of `swaps`, the swaps of a plan. `step` is the simulation of `graph`, the step graph
/// with this plan. The largest swaps get room first, as long as their bytes fit below the peak at
/// each step at which they are away; that buffers may be shared differently without a swap is not
/// counted. Cost: O(steps + swap-ins x log steps). Thread: pure.
[[nodiscard]] std::vector<SwapEffect> swap_effects(const StepGraph& graph, const FaithfulStep& step,
                                                   std::span<const PlannedSwap> swaps);
/// The same with `limit` instead of the peak: what has room fits below it.
[[nodiscard]] std::vector<SwapEffect> swap_effects(const StepGraph& graph, const FaithfulStep& step,
                                                   std::span<const PlannedSwap> swaps, Bytes limit);
/// The same of the swaps that the graph of `graph` holds already, by index of SwapCopies::swaps.
[[nodiscard]] std::vector<SwapEffect> swap_effects(const StepGraph& graph, const FaithfulStep& step,
                                                   const SwapCopies& copies);

/// The idle ones of a plan's swaps.
struct IdleSwaps {
  std::int64_t count = 0;
  Bytes bytes = 0;  ///< of their tensors
};
[[nodiscard]] IdleSwaps idle_swaps(const std::vector<SwapEffect>& effects);
/// "5 of 119 swaps do not lower the peak (392.00 MiB)".
[[nodiscard]] std::string idle_swaps_text(const IdleSwaps& idle, std::size_t swaps);

}  // namespace tideline
