// The search for the trigger of a swap-in: the op after which a tensor is copied back.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

/// A trigger and its level.
struct Trigger {
  OpId op;  ///< invalid when none was found
  std::int32_t level = kNoLevel;
};

/// Finds triggers in a draft in which all swaps are inserted. Reuses its buffers between searches.
/// Thread: not shared.
class TriggerSearch {
 public:
  /// With a guard, ops that may be skipped when the consumers run are rejected.
  TriggerSearch(const Context& context, Draft& draft, const Guard* guard)
      : context_(context), draft_(draft), guard_(guard), visited_(context.graph.op_count()) {}

  /// Searches at most ten levels, from level(dest) - ahead - 1 down and above level(source), for an
  /// active device op outside conditionals and loops that reaches `dest` over data edges of rising
  /// level without passing a copy. Returns the first in file order on the highest such level.
  /// Cost: O(edges into the ops upstream of `dest` on and above those levels).
  [[nodiscard]] Trigger find(OpId source, OpId dest, OpId swap_in);

 private:
  [[nodiscard]] bool may_trigger(OpId op, OpId swap_in);

  const Context& context_;
  Draft& draft_;
  const Guard* guard_;
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

}  // namespace tideline::lms2
