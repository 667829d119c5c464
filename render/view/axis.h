// A horizontal axis of levels or steps: conversion between positions and pixels, and its ticks.
#pragma once

#include <vector>

namespace tideline::render {

/// The visible part of an axis. `span` 0 or less, or NaN: all of it.
struct VisibleRange {
  double first = 0;
  double span = 0;
};

/// Position p covers [p, p + 1). Invariant: span > 0, x1 > x0, all finite.
struct Axis {
  double first = 0;
  double span = 1;
  float x0 = 0;
  float x1 = 1;

  /// Clamped far outside the picture, which keeps floats precise.
  [[nodiscard]] float x(double position) const;
  [[nodiscard]] double position(float x) const;
  [[nodiscard]] double px_per_unit() const { return (x1 - x0) / span; }
  /// The positions [begin, end), within [0, count), that are at least partly visible.
  [[nodiscard]] int begin() const;
  [[nodiscard]] int end(int count) const;
};

/// Accepts any numbers; an invalid range becomes all of `count` positions.
[[nodiscard]] Axis make_axis(VisibleRange range, int count, float x0, float x1);

/// Positions of ticks: multiples of 1, 2 or 5 times a power of ten, at least `least_px` apart.
[[nodiscard]] std::vector<int> axis_ticks(const Axis& axis, int count, float least_px);

}  // namespace tideline::render
