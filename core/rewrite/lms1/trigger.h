// Rule 7 of LMS v1: the op after which a swapped tensor is copied back.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms1/context.h"

namespace tideline::lms1 {

/// A trigger and its order.
struct Trigger {
  OpId op;  ///< invalid when none was found
  std::int32_t order = -1;
};

/// Finds triggers in a draft that grows between searches. Reuses its buffers. Thread: not shared.
class TriggerSearch {
 public:
  /// With a guard, ops that may be skipped when the consumers run are rejected.
  TriggerSearch(const Context& context, Draft& draft, const Guard* guard);

  /// The op that `swap_in`, which provides `tensor` to `consumer` and possibly others, is to wait
  /// for, by the user's own distance for the tensor, or else by `lb`; the first in file order among
  /// equals. Never an op that the swap-in leads to (unlike the reference, which can create a
  /// cycle), nor one in another loop. Cost: chain rule: the forward ops from the source to the
  /// trigger; direct order: the ops from the trigger to the consumer, times log.
  [[nodiscard]] Trigger find(TensorId tensor, OpId consumer, OpId swap_in);

 private:
  [[nodiscard]] Trigger direct_order(OpId source, OpId consumer, OpId swap_in, std::int64_t lb);
  [[nodiscard]] Trigger chain_rule(OpId source, OpId consumer, OpId swap_in, std::int64_t lb);
  /// The first of `candidates`, which this sorts, that may be waited for.
  [[nodiscard]] OpId first_allowed(std::vector<OpId>& candidates, OpId swap_in);
  [[nodiscard]] bool may_trigger(OpId op, OpId swap_in);
  void find_reach();
  [[nodiscard]] bool reaches_between(OpId op, std::int32_t low, std::int32_t high) const;
  [[nodiscard]] bool is_visited(OpId op) const { return visited_[op.index()] == visit_; }
  static bool is_new(OpId op, std::vector<std::uint32_t>& stamps, std::uint32_t stamp);

  const Context& context_;
  Draft& draft_;
  const Guard* guard_;
  std::vector<bool> is_fused_;  ///< by type id; empty: does not matter
  /// Orders of the possible triggers that lie behind a forward op; lowest > highest: there is none.
  std::vector<std::int32_t> lowest_, highest_;
  std::vector<std::uint32_t> visited_, queued_;  // by op and copy: the last search, the last step
  std::uint32_t visit_ = 0;
  std::uint32_t queue_ = 0;
};

}  // namespace tideline::lms1
