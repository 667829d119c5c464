// The parameters of LMS v2 that decide about swaps, and what a play with them comes to.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "core/base/units.h"

namespace tideline {

/// A threshold with which nothing is swapped, not even tensors that the user lists.
inline constexpr int kNoSwaps = std::numeric_limits<int>::max();

struct SwapParameters {
  int swapout_threshold = -1;
  int swapin_ahead = -1;
  int swapin_groupby = -1;
  int sync_mode = 0;
  friend auto operator<=>(const SwapParameters&, const SwapParameters&) = default;
};

/// Totals of one play.
struct PlayResult {
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  std::int64_t swapped_out_tensors = 0;
  std::int64_t swap_ins = 0;
  Bytes bytes_out = 0;
  Bytes bytes_in = 0;
};

}  // namespace tideline
