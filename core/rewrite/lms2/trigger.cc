// Problem: a swap-in should start some levels before its first consumer needs the tensor, and no
// earlier: it waits, over a control edge, for an op that runs at about that time. That op must run
// before the consumer in any case, or the edge could close a cycle; so it has to lead to the
// consumer.
// Idea: the reference tests for every op of a level whether it reaches the consumer, level by
// level. A backward search from the consumer over its inputs visits exactly the ops that do, and
// levels bound it: nothing below the lowest level of interest is visited.
//   levels 70 71 72 73 74, dest at 74, ahead 2: levels 71, 70, ... are searched; of the ops that
//   lead to dest the one on the highest such level is taken.
// A swapped edge is not a path any more: its consumer now reads a copy, which the search does not
// visit.
// Cost: O(edges into the ops between the lowest level and dest that lead to it).
// Source: IBM TFLMS v2, lms.py, _search_by_level and _is_reachable (rules only).
// Tested by unit/rewrite/lms2_test.cc and by the oracles of the reference.
#include "core/rewrite/lms2/trigger.h"

#include <algorithm>

#include "core/rewrite/lms2/play_input.h"
#include "core/rewrite/lms2/play_triggers.h"

namespace tideline::lms2 {

bool TriggerSearch::may_trigger(OpId op, OpId swap_in) {
  if (!lms2::may_trigger(context_, op)) return false;
  if (guard_ != nullptr && !guard_->keeps_alive(draft_, swap_in, op)) return false;
  if (draft_.crosses_frames(swap_in, op)) return false;
  // Levels rise along every edge outside of loops, so the swap-in can lead to the op only in a
  // graph with loops.
  return !draft_.has_loops() || !draft_.leads_to(swap_in, op);
}

Trigger TriggerSearch::find(OpId source, OpId dest, OpId swap_in) {
  const LevelMap& levels = context_.levels;
  const std::int32_t end = levels.level(dest) - context_.options.swapin_ahead;
  const std::int32_t lowest = std::max(end - kLevelsTried, levels.level(source) + 1);
  Trigger best;
  if (lowest >= end || lowest < 0) return best;
  ++visit_;
  std::vector<OpId> todo = {dest};
  while (!todo.empty()) {
    const OpId op = todo.back();
    todo.pop_back();
    for (const TensorId input : draft_.inputs(op)) {
      if (draft_.is_copy(input.op) || visited_[input.op.index()] == visit_) continue;
      const std::int32_t level = levels.level(input.op);
      if (level < lowest || level >= levels.level(op)) continue;
      visited_[input.op.index()] = visit_;
      todo.push_back(input.op);
      const bool better = level > best.level || (level == best.level && input.op < best.op);
      if (level < end && better && may_trigger(input.op, swap_in)) best = {input.op, level};
    }
  }
  return best;
}

}  // namespace tideline::lms2
