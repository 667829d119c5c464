// Zooming and panning of the visible range of an axis.
#pragma once

#include <algorithm>
#include <cmath>

#include "render/model/view_state.h"

namespace tideline::ui {

/// Limit of zooming in: at least this many positions are visible.
inline constexpr double kLeastSpan = 4;
/// Limit of zooming into the rows of levels.
inline constexpr double kMostRowZoom = 64;

/// `range` clamped to an axis of `count` positions; {0, 0} stands for the whole axis.
[[nodiscard]] inline AxisRange clamped(AxisRange range, int count) {
  const double all = std::max(1, count);
  if (!(range.span > 0) || range.span >= all || !std::isfinite(range.first)) return {};
  range.span = std::max(range.span, std::min(kLeastSpan, all));
  range.first = std::clamp(range.first, 0.0, all - range.span);
  return range;
}

/// Zooms in for `factor` > 1, keeping position `at` in place.
[[nodiscard]] inline AxisRange zoomed(AxisRange range, int count, double factor, double at) {
  const double all = std::max(1, count);
  const double span = range.span > 0 ? range.span : all;
  const double first = range.span > 0 ? range.first : 0;
  const double next = std::clamp(span / factor, std::min(kLeastSpan, all), all);
  return clamped({at - (at - first) * (next / span), next}, count);
}

[[nodiscard]] inline AxisRange panned(AxisRange range, int count, double positions) {
  if (!(range.span > 0)) return range;
  return clamped({range.first + positions, range.span}, count);
}

}  // namespace tideline::ui
