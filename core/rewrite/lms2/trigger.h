// The search for the op after which a swapped tensor is brought back.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/draft.h"
#include "core/rewrite/guard.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

struct Trigger {
  OpId op;  ///< invalid when none was found
  std::int32_t level = kNoLevel;
};

/// Finds triggers on a draft in which all swaps are inserted. Keeps its work space between
/// searches.
class TriggerSearch {
 public:
  /// With a guard, ops that may not run when the consumers do are passed over.
  TriggerSearch(const Context& context, Draft& draft, const Guard* guard)
      : context_(context), draft_(draft), guard_(guard), visited_(context.graph.op_count()) {}

  /// Of the levels from level(dest) - ahead - 1 down, ten at most and above level(source): the
  /// first one with an active device op outside conditionals and loops from which `dest` can be
  /// reached over data edges that rise in level and pass no copy; there, the first op in file
  /// order. Cost: the ops before `dest` on those levels and the ones between.
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
