// The decision which tensors leave for the host and in which groups they come back.
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
  bool is_forced = false;             ///< the user said so, the threshold did not count
};

/// Whether `use` of `tensor` may go over the host, rank and threshold aside.
[[nodiscard]] bool may_lead_over_host(const Context& context, const Candidates& candidates,
                                      TensorId tensor, Use use);

/// Of the tensors of candidate sources with rank 2 or more: those with a candidate consumer further
/// away than the threshold; overrides come first. In file order of the producers, then by slot.
/// Cost: O(edges log fan-out).
[[nodiscard]] std::vector<SwapChoice> choose_swaps(const Context& context,
                                                   const Candidates& candidates);

/// Consumers by level, joined while the gap to the one before is at most `groupby`; 0 or less: one
/// group for each.
[[nodiscard]] std::vector<ConsumerGroup> group_consumers(const LevelMap& levels,
                                                         std::vector<OpId> consumers, int groupby);

/// Why `tensor`, which choose_swaps did not choose, stays: the first rule that decided, with its
/// values.
[[nodiscard]] std::string why_kept(const Context& context, const Candidates& candidates,
                                   TensorId tensor);
/// Why it was chosen: "distance 77 > threshold 50", of its nearest swapped consumer.
[[nodiscard]] std::string why_swapped(const Context& context, const SwapChoice& choice);

}  // namespace tideline::lms2
