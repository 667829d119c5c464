// Tested by tests/unit/model/player_test.cc.
#include "render/model/player.h"

#include <algorithm>
#include <cmath>

#include "render/model/axis_range.h"

namespace tideline::ui {
namespace {

constexpr double kBeforeEnd = 1e-3;    // the last moment of a step
constexpr double kShareBefore = 0.05;  // of the visible levels, left of a cursor that has run away

bool is_visible(const AxisRange& range, double level) {
  return !(range.span > 0) || (level >= range.first && level < range.first + range.span);
}

void follow(ViewState& view, int levels) {
  if (is_visible(view.axis, *view.player)) return;
  view.axis.first = *view.player - kShareBefore * view.axis.span;
  view.axis = clamped(view.axis, levels);
}

}  // namespace

void play(ViewState& view, int levels) {
  const bool shows_levels = view.tab == Tab::kLevels ||
                            (view.tab == Tab::kMemory && view.memory_axis == AxisKind::kLevel);
  if (!shows_levels) view.tab = Tab::kLevels;
  const bool goes_on =
      view.player && *view.player < levels - 2 * kBeforeEnd && is_visible(view.axis, *view.player);
  if (!goes_on) view.player = std::max(0.0, view.axis.first);
  view.is_playing = true;
}

void put_player(ViewState& view, double level, int levels) {
  view.player = std::clamp(level, 0.0, std::max(0.0, levels - kBeforeEnd));
  view.is_playing = false;
  follow(view, levels);
}

void leave_player(ViewState& view) {
  view.player.reset();
  view.is_playing = false;
}

void advance_player(ViewState& view, int levels, double seconds) {
  if (!view.is_playing || !view.player || levels <= 0) {
    view.is_playing = false;
    return;
  }
  const double last = levels - kBeforeEnd;
  *view.player += std::max(0.0, seconds) * view.player_speed;
  if (!(*view.player < last)) {
    view.player = last;
    view.is_playing = false;
  }
  follow(view, levels);
}

}  // namespace tideline::ui
