// Charts of the histograms of one tag and run: a ridge for each step, or bands of percentiles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/events/histogram_percentiles.h"
#include "core/events/row_values.h"
#include "render/view/canvas.h"
#include "render/view/chart_frame.h"
#include "render/view/palette.h"
#include "render/view/scalar_lines.h"

namespace tideline::render {

/// How the histograms of a log are looked at; the same for all of them.
struct HistogramLook {
  /// Ridges one behind the other, the newest in front; else all on one line.
  bool is_offset = true;
  friend bool operator==(const HistogramLook&, const HistogramLook&) = default;
};

/// A histogram of a series.
struct LoggedHistogram {
  std::size_t row = 0;  ///< of the series
  std::int64_t step = 0;
  double wall_time = 0;
  std::vector<events::HistogramBucket> buckets;
  std::size_t stretch = 0;  ///< how often training had begun again before it
};

/// The indices of at most `most` of `count` rows: the first, the last and evenly spread ones.
[[nodiscard]] std::vector<std::size_t> spread_rows(std::size_t count, std::size_t most);

/// Ridges: values on the horizontal axis, steps on the vertical one. `heights` are counts.
struct RidgeChart : ChartFrame {
  struct Ridge {
    std::size_t row = 0;
    std::int64_t step = 0;
    double wall_time = 0;
    float base_px = 0;           ///< its line of count 0
    std::vector<double> counts;  ///< of equal bins over the horizontal axis
    std::vector<Point> points;
    bool has_not_finite = false;  ///< values that are NaN or infinite, which are marked
    bool is_blank = false;        ///< and no others: there is no curve
  };
  std::vector<Ridge> ridges;    ///< oldest, which is drawn first, at the front
  std::size_t rows = 0;         ///< of the series, shown or not
  std::int64_t unreadable = 0;  ///< rows that are damaged
};
/// Lays out ridges for `histograms`, by row. `rows`: how many the series has. Cost: O(buckets +
/// bins). Thread: pure.
[[nodiscard]] RidgeChart layout_ridges(const std::vector<LoggedHistogram>& histograms,
                                       const HistogramLook& look, float width_px, float height_px,
                                       float font_px);

/// How many ridges a chart of this height can show.
[[nodiscard]] std::size_t most_ridges(float height_px, float font_px);

/// Bands of percentiles over steps or time.
struct BandChart : ChartFrame {
  struct Column {
    std::size_t row = 0;
    std::int64_t step = 0;
    double wall_time = 0;
    double at = 0;  ///< on the horizontal axis
    std::array<double, events::kBandShares.size()> values = {};
    std::size_t stretch = 0;
    bool has_not_finite = false;  ///< values that are NaN or infinite, which are marked
    /// Without other values: the bands are broken there. So they are before it and behind it.
    bool is_blank = false;
  };
  LogAxis axis = LogAxis::kStep;
  /// From left to right between restarts; without those whose place is not finite, and those
  /// without any value.
  std::vector<Column> columns;
  std::int64_t empty = 0;  ///< histograms without any value
  std::size_t rows = 0;
  std::int64_t unreadable = 0;
};
/// Lays out bands; of `look` axis, visible range and the logarithmic axes count. `begin_s`: wall
/// time that relative times count from. Cost: O(buckets). Thread: pure.
[[nodiscard]] BandChart layout_bands(const std::vector<LoggedHistogram>& histograms,
                                     const ScalarLook& look, double begin_s, float width_px,
                                     float height_px, float font_px);

/// Draws a chart with its left upper corner at `at`. `color` is that of the run. Cost: O(points).
void draw_ridges(Canvas& canvas, const Palette& palette, const RidgeChart& chart, Point at,
                 std::string_view title, Color color);
void draw_bands(Canvas& canvas, const Palette& palette, const BandChart& chart, Point at,
                std::string_view title, Color color);

/// The ridge whose curve is nearest below the point, and the bin there.
struct RidgeHit {
  std::size_t ridge = 0;
  std::size_t bin = 0;
};
/// `point` is a place in the chart; nullopt outside the plot or without ridges. Cost: O(ridges).
[[nodiscard]] std::optional<RidgeHit> hit_ridges(const RidgeChart& chart, Point point);
/// Draws the ridge of the hit once more, on top, with a mark on the bin.
void draw_ridge_hit(Canvas& canvas, const Palette& palette, const RidgeChart& chart, Point at,
                    const RidgeHit& hit);
/// "step 120  0.25 to 0.27: 31.5".
[[nodiscard]] std::string ridge_hit_text(const RidgeChart& chart, const RidgeHit& hit);

/// The column nearest to `x_px`, a place in the chart; nullopt outside the plot. Cost: O(columns).
[[nodiscard]] std::optional<std::size_t> hit_bands(const BandChart& chart, float x_px);
void draw_band_hit(Canvas& canvas, const Palette& palette, const BandChart& chart, Point at,
                   std::size_t column);
/// Lines: the step, whether there are values that are not finite, then "largest 0.5", ..., "median
/// 0.1", ..., "least -0.4".
[[nodiscard]] std::vector<std::string> band_hit_text(const BandChart& chart, std::size_t column);

}  // namespace tideline::render
