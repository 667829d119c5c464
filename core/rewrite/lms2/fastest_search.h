// The search for the fastest parameter set of LMS v2 that fits a budget, on the faithful model.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/memory/device_profile.h"
#include "core/rewrite/lms2/swap_traffic.h"
#include "core/rewrite/lms2/tune.h"

namespace tideline::lms2 {

struct FastestSearch {
  const SwapTraffic* traffic = nullptr;  ///< its thresholds and group-bys are those tried
  std::vector<int> aheads;               ///< to be tried, ascending
  SwapParameters given;                  ///< what is not -1 is kept
  int levels = 0;
  double budget = 0;  ///< bytes; a peak must be below it
  DeviceProfile profile;
  std::int64_t without_ns = 0;  ///< time of a step without swaps
  std::int64_t most_plays = 0;
  bool wants_least_peak = false;  ///< also if a step fits without swaps
  /// Memory below `below` with which the set played last fits, else `below`. Null: what a set needs
  /// is its peak by steps.
  std::function<Bytes(Bytes below)> least_memory = {};
};

/// What is tried of each parameter that is not given.
[[nodiscard]] std::vector<int> aheads_to_try(const SwapParameters& given);
[[nodiscard]] std::vector<int> groupbys_to_try(const SwapParameters& given, int levels);
/// FastestSearch::most_plays for a graph of `ops` ops.
[[nodiscard]] std::int64_t plays_for(std::int64_t ops);

/// Fills found, necessary, only_forced, parameters, failure, prediction, least_peak and
/// trials. Among the sets that fit, the fastest wins. Peaks and times need not be monotonic in
/// any parameter. Whether a set is found depends on the budget only by comparison with least_peak.
/// Errors: those of `play`. Cost: at most most_plays + 60 calls of `play`.
[[nodiscard]] Status find_fastest(const FastestSearch& search, const PeakFunction& play,
                                  TuneResult& result);

}  // namespace tideline::lms2
