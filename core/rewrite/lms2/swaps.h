// Chooses the tensors to swap and the groups of consumers that share a swap-in.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

/// Consumers that share one swap-in: by level, then file order.
using ConsumerGroup = std::vector<OpId>;

/// A tensor that is to be swapped.
struct SwapChoice {
  TensorId tensor;
  std::vector<ConsumerGroup> groups;  ///< by level
  bool is_forced = false;             ///< requested by the user, regardless of the threshold
  int own_ahead = 0;                  ///< Overrides::ahead_of
};

/// Whether `use` of `tensor` may be swapped, apart from rank and threshold.
[[nodiscard]] bool may_lead_over_host(const Context& context, const Candidates& candidates,
                                      TensorId tensor, Use use);

/// The tensors of candidate sources that have rank 2 or more and a candidate consumer further away
/// than the threshold, in file order of the producers, then by slot. Overrides take precedence.
/// Cost: O(edges x log fan-out). Thread: pure.
[[nodiscard]] std::vector<SwapChoice> choose_swaps(const Context& context,
                                                   const Candidates& candidates);

/// Consumers sorted by level and grouped: each is at most `groupby` levels from the one before it
/// in its group. 0 or less: one group for each.
[[nodiscard]] std::vector<ConsumerGroup> group_consumers(const LevelMap& levels,
                                                         std::vector<OpId> consumers, int groupby);

/// Why choose_swaps did not choose `tensor`: the first rule that decides, with its values.
[[nodiscard]] std::string why_kept(const Context& context, const Candidates& candidates,
                                   TensorId tensor);
/// Why a tensor was chosen: "distance 77 > threshold 50", for its nearest swapped consumer, and
/// what places its swap-ins if it is not swapin_ahead: "...; swap-in by its own: 7 levels ahead".
[[nodiscard]] std::string why_swapped(const Context& context, const SwapChoice& choice);

}  // namespace tideline::lms2
