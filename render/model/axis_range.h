// Moving along an axis: what zooming and panning make of the visible part.
#pragma once

#include <algorithm>
#include <cmath>

#include "render/model/view_state.h"

namespace tideline::ui {

/// Fewer positions than this are never spread over the screen.
inline constexpr double kLeastSpan = 4;

/// `first` and `span` inside an axis of `count` positions; all of it becomes {0, 0}.
[[nodiscard]] inline AxisRange clamped(AxisRange range, int count) {
  const double all = std::max(1, count);
  if (!(range.span > 0) || range.span >= all || !std::isfinite(range.first)) return {};
  range.span = std::max(range.span, std::min(kLeastSpan, all));
  range.first = std::clamp(range.first, 0.0, all - range.span);
  return range;
}

/// `factor` > 1 shows less; the position `at` stays where it is.
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
