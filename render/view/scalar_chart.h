// A chart of one tag: the curves of its runs over steps or time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/chart_frame.h"
#include "render/view/palette.h"
#include "render/view/scalar_lines.h"

namespace tideline::render {

/// The curve of a run. A run keeps its number and colour in all charts; the number stands at the
/// end of the line, for readers who cannot tell the colours apart.
struct RunCurve {
  LoggedCurve curve;
  std::uint32_t number = 1;
  std::string run;
};

/// Colour of the run with this number, from 1.
[[nodiscard]] Color run_color(const Palette& palette, std::uint32_t number);

/// The geometry of a chart.
struct ScalarChart : ChartFrame {
  ScalarLook look;
  struct Line {
    std::uint32_t number = 1;
    CurveLines raw;                  ///< pale, beside a smoothed one; empty without smoothing
    CurveLines smoothed;             ///< what is shown
    std::vector<float> restarts_px;  ///< where the run began again
  };
  std::vector<Line> lines;
  std::int64_t points = 0;
  std::int64_t not_finite = 0;  ///< values in the visible range that cannot be drawn
  std::int64_t outliers = 0;    ///< values in that range above or below the chart
};

/// Lays out the chart. Cost: O(points), three times. Thread: pure.
[[nodiscard]] ScalarChart layout_scalars(const std::vector<RunCurve>& curves,
                                         const ScalarLook& look, float width_px, float height_px,
                                         float font_px);

/// The numbers of the curves with the names of their runs, in lines from the left upper corner of
/// `area` on, as many as have room. Returns the height that they take.
float draw_run_names(Canvas& canvas, const Palette& palette, const std::vector<RunCurve>& curves,
                     Rect area, float font_px);

/// Draws a chart with its left upper corner at `at`; `title` above it. Cost: O(pixels x runs).
void draw_scalars(Canvas& canvas, const Palette& palette, const ScalarChart& chart, Point at,
                  std::string_view title);

/// A point of a run below the mouse.
struct ScalarHit {
  std::uint32_t number = 1;
  std::string run;
  std::size_t row = 0;
  events::ScalarPoint point;
  double smoothed = 0;
  Point at;  ///< in the chart
};
/// The points of all runs that are nearest to `x_px`, a place in the chart, along its axis.
/// Cost: O(points).
[[nodiscard]] std::vector<ScalarHit> hit_scalars(const std::vector<RunCurve>& curves,
                                                 const ScalarChart& chart, float x_px);
/// Marks the hits: a line through the first one, a dot on each.
void draw_scalar_hits(Canvas& canvas, const Palette& palette, const ScalarChart& chart, Point at,
                      const std::vector<ScalarHit>& hits);

/// A hit in words: "train  step 1200  0.0123 (smoothed 0.0125)  2m 5s".
[[nodiscard]] std::string hit_text(const ScalarHit& hit, const ScalarLook& look, double begin_s);

}  // namespace tideline::render
