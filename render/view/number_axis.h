// An axis of numbers, linear or logarithmic: conversion between numbers and pixels, and round
// ticks. For levels and steps of a graph, which are positions, see axis.h.
#pragma once

#include <string>
#include <vector>

namespace tideline::render {

/// From the smallest to the largest number; empty when it has none.
struct NumberRange {
  double first = 0;
  double last = -1;

  [[nodiscard]] bool empty() const { return !(first <= last); }
  /// Widens the range to `number`, if that is finite.
  void add(double number);
  void add(const NumberRange& other);
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

/// What the numbers are, which decides the ticks and their texts.
enum class NumberKind { kPlain, kSeconds, kWallTime };

/// Invariant: first < last, both finite; on a logarithmic axis both are positive. `from_px` may lie
/// beyond `to_px`, as on a vertical axis.
struct NumberAxis {
  double first = 0;
  double last = 1;
  bool is_log = false;
  float from_px = 0;
  float to_px = 1;

  /// Clamped far outside the picture, which keeps floats precise; NaN stays NaN.
  [[nodiscard]] float px(double number) const;
  [[nodiscard]] double number(float px) const;
};

/// An axis over `range`. A single number gets room on both sides. A logarithmic axis begins at the
/// smallest positive number, `least_positive`; without one the axis is linear.
[[nodiscard]] NumberAxis make_number_axis(NumberRange range, bool is_log, double least_positive,
                                          float from_px, float to_px);

struct NumberTick {
  double number = 0;
  std::string text;
};
/// Round numbers on the axis, ascending, at least `least_px` apart. Times have round seconds,
/// minutes, hours or days. Cost: O(pixels).
[[nodiscard]] std::vector<NumberTick> number_ticks(const NumberAxis& axis, NumberKind kind,
                                                   float least_px);

/// A number in few digits: "0.0123", "1.5e-07", "12345", "NaN".
[[nodiscard]] std::string number_text(double number);
/// A stretch of time: "350 ms", "12.5 s", "3m 20s", "5h 12m", "2d 3h".
[[nodiscard]] std::string duration_text(double seconds);
/// Universal time: "2026-11-22 14:05:33". Empty for what is no time of this era.
[[nodiscard]] std::string wall_time_text(double seconds_since_1970);

}  // namespace tideline::render
