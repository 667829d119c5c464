// Problem: swap_effects infers from the step with all swaps which of them have room below its peak.
// Without a swap buffers are shared differently and other ops wait for other things, so that the
// peak can rise although there was room.
// Idea: nothing is claimed that was not simulated. The candidates are kept and the step is planned
// and simulated afresh; where its peak is higher, only the larger half of them is tried, and so on.
//   10 candidates raise the peak, the 5 largest do, the 2 largest do not: 2 are idle.
// Limits: a subset between two tries that would do as well is not looked for.
// Source: own. Tested by unit/rewrite/idle_swaps_test.cc and property/one_truth.py.
#include "core/rewrite/lms/idle_swaps.h"

#include <algorithm>

namespace tideline {

Status confirm_idle(std::span<const PlannedSwap> swaps, Bytes peak,
                    const PeakWhenKept& peak_when_kept, std::vector<SwapEffect>& effects) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    effects[i].is_idle = false;
    if (effects[i].has_room) candidates.push_back(i);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
    return effects[a].bytes > effects[b].bytes;
  });
  while (!candidates.empty()) {
    std::vector<TensorId> kept;
    for (const std::size_t i : candidates) kept.push_back(swaps[i].tensor);
    TIDELINE_TRY(const Bytes without, peak_when_kept(kept));
    if (without <= peak) break;
    candidates.resize(candidates.size() / 2);
  }
  for (const std::size_t i : candidates) effects[i].is_idle = true;
  return {};
}

bool may_have_idle(const std::vector<SwapEffect>& effects) {
  return std::any_of(effects.begin(), effects.end(),
                     [](const SwapEffect& effect) { return effect.has_room; });
}

}  // namespace tideline
