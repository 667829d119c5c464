// The chart of a fit: device peak and time of an example over the batch size, one line a way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/chart_frame.h"
#include "render/view/fit_curve.h"
#include "render/view/palette.h"

namespace tideline::render {

/// A text and its place.
struct FitLabel {
  enum class Kind : std::uint8_t { kDim, kText, kBudget };
  Kind kind = Kind::kDim;
  std::string text;
  Rect box;
};

/// The geometry, with (0, 0) at the left upper corner. Labels do not overlap. What does not fit the
/// budget is drawn hollow.
struct FitChart {
  struct Mark {
    Point at;
    FitPoint point;
    bool is_joined = true;  ///< to the one before it: no line has a batch size between them
  };
  /// One of the two charts.
  struct Plot : ChartFrame {
    std::vector<std::vector<Mark>> lines;  ///< by FitCurve::lines
  };
  /// An entry of the legend: a piece of the line, or a hollow mark for what does not fit.
  struct Entry {
    std::optional<std::size_t> line;
    Rect sample;
  };
  float width_px = 0, height_px = 0;
  float text_px = 0;  ///< of all labels: smaller than wanted where the plots would vanish
  Plot peak;          ///< its vertical axis is in `bytes_per_unit`
  Plot time;          ///< its vertical axis is in `ns_per_unit`
  double bytes_per_unit = 1, ns_per_unit = 1;
  std::vector<Entry> legend;
  std::vector<FitLabel> labels;              ///< all of them
  std::optional<float> budget_px, batch_px;  ///< where their lines are
  std::vector<std::string> titles;           ///< of the lines
};

/// Lays out the chart; `measure` is asked for widths of texts alone. A curve without points gives
/// `why_empty` as text. Cost: O(points). Thread: pure.
[[nodiscard]] FitChart layout_fit(const FitCurve& curve, float width_px, float height_px,
                                  float font_px, const Canvas& measure, std::string_view why_empty);

/// Draws a chart with its left upper corner at `at`. Cost: O(points).
void draw_fit(Canvas& canvas, const Palette& palette, const FitChart& chart, Point at);

/// A point of a line below the mouse.
struct FitHit {
  std::size_t line = 0;
  FitPoint point;
  Point at;  ///< in the chart
};
/// The nearest point to `at`, a place in the chart, if there is one near it. Cost: O(points).
[[nodiscard]] std::optional<FitHit> hit_fit(const FitChart& chart, Point at);
/// In words: "LMS v2, batch size 128", "device peak 14.20 GiB, fits", "3.10 ms an example".
[[nodiscard]] std::vector<std::string> hit_lines(const FitChart& chart, const FitHit& hit);

}  // namespace tideline::render
