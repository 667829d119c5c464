// The step player: a cursor that walks the levels by itself.
#pragma once

#include "render/model/view_state.h"

namespace tideline::ui {

/// Levels a second that can be chosen.
inline constexpr double kLeastSpeed = 0.25, kMostSpeed = 1000;

/// Begins to play, in the level view unless memory by level is shown; at the first visible level if
/// the cursor is at the end of `levels`, or out of sight. Precondition: `levels` is above 0.
void play(ViewState& view, int levels);
/// Puts the cursor at a level and stops there.
void put_player(ViewState& view, double level, int levels);
/// Takes the cursor away.
void leave_player(ViewState& view);
/// Moves the cursor on by `seconds` while it plays; it stops at the end of `levels`, and what is
/// visible goes along. Cost: O(1). Thread: the UI's.
void advance_player(ViewState& view, int levels, double seconds);

}  // namespace tideline::ui
