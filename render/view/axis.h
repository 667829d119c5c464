// A horizontal axis of levels or steps: positions to pixels and back, and where its ticks are.
#pragma once

#include <vector>

namespace tideline::render {

/// The part of an axis that is on the screen. `span` 0 (or less, or no number): all of it.
struct VisibleRange {
  double first = 0;
  double span = 0;
};

/// Position p stands for the stretch [p, p + 1). Invariant: span > 0, x1 > x0, all finite.
struct Axis {
  double first = 0;
  double span = 1;
  float x0 = 0;
  float x1 = 1;

  /// Far outside the picture it is cut off, so that floats stay exact enough.
  [[nodiscard]] float x(double position) const;
  [[nodiscard]] double position(float x) const;
  [[nodiscard]] double px_per_unit() const { return (x1 - x0) / span; }
  /// Whole positions that are at least partly visible: [begin, end), inside [0, count).
  [[nodiscard]] int begin() const;
  [[nodiscard]] int end(int count) const;
};

/// Any numbers are taken: what makes no sense becomes all of `count` positions.
[[nodiscard]] Axis make_axis(VisibleRange range, int count, float x0, float x1);

/// Positions of ticks, whole numbers that are multiples of 1, 2 or 5 times a power of ten, at least
/// `least_px` apart.
[[nodiscard]] std::vector<int> axis_ticks(const Axis& axis, int count, float least_px);

}  // namespace tideline::render
