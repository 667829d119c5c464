// The parameters of LMS v2 that decide about swaps.
#pragma once

#include <compare>
#include <limits>

#include "core/rewrite/lms2/options.h"

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
[[nodiscard]] inline SwapParameters swap_parameters_of(const Lms2Options& options) {
  return {options.swapout_threshold, options.swapin_ahead, options.swapin_groupby,
          options.sync_mode};
}

}  // namespace tideline
