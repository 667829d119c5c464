// Problem: a series has thousands of histograms, a chart some hundred lines of pixels; ridges hide
// each other, and buckets that grow exponentially look like nothing.
// Idea: evenly spread rows, as many as can be told apart. Each histogram is poured into equal bins
// (histogram_percentiles.h), so that its area is its count. Ridges stand on lines from the back to
// the front, each filled with a shade that hides what is behind; the highest bin of all takes a
// quarter of the height. Bands lie between the percentiles at the same distance from the median,
// and the shades add up.
// Source: TensorBoard shows the same two views; the drawing is own.
// Tested by tests/unit/view/histogram_chart_test.cc.
#include "render/view/histogram_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tideline::render {
namespace {

constexpr std::size_t kMostRidges = 60;
constexpr std::size_t kMostBins = 120;
constexpr float kPxABin = 4;
constexpr float kRidgeShare = 0.3F;  // of the plot's height, for the highest bin of all
constexpr float kPxABar = 2;
constexpr double kBandShade = 0.15;
constexpr std::array<const char*, events::kBandShares.size()> kBandNames = {
    "least", "7 %", "16 %", "31 %", "median", "69 %", "84 %", "93 %", "largest"};

Color blend(Color from, Color to, double share) {
  const auto mix = [share](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
  };
  return {mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), 255};
}

// From the oldest, which is pale, to the newest.
Color ridge_color(const Palette& palette, Color color, std::size_t ridge, std::size_t count) {
  const double age = count < 2 ? 1 : static_cast<double>(ridge) / static_cast<double>(count - 1);
  return blend(blend(palette.panel, color, 0.35), color, age);
}

// What is to be known about the histograms of a chart.
struct Notes {
  std::size_t shown = 0;
  std::size_t rows = 0;
  std::int64_t unreadable = 0;
  std::int64_t empty = 0;
  std::int64_t not_finite = 0;

  [[nodiscard]] bool is_warning() const { return unreadable > 0 || not_finite > 0; }
  [[nodiscard]] std::string text() const {
    std::string note;
    const auto add = [&](const std::string& part) { note += (note.empty() ? "" : ", ") + part; };
    if (shown < rows) add(fmt::format("{} of {} steps", shown, rows));
    if (unreadable > 0) add(fmt::format("{} unreadable", unreadable));
    if (empty > 0) add(fmt::format("{} empty", empty));
    if (not_finite > 0) add(fmt::format("{} with NaN or infinite values", not_finite));
    return note;
  }
};

template <typename Marked>
std::int64_t count_not_finite(const std::vector<Marked>& all) {
  return std::count_if(all.begin(), all.end(),
                       [](const Marked& one) { return one.has_not_finite; });
}

// Where values are that no curve can show: its point is at `tip`.
void draw_mark(Canvas& canvas, const Palette& palette, Point tip, float font_px) {
  const float half = font_px * 0.3F;
  canvas.triangle({tip.x - half, tip.y - 2 * half}, {tip.x + half, tip.y - 2 * half}, tip,
                  palette.warning);
}

NumberRange range_of_values(const std::vector<LoggedHistogram>& histograms) {
  NumberRange range;
  for (const LoggedHistogram& histogram : histograms) {
    for (const events::HistogramBucket& bucket : histogram.buckets) {
      const bool is_finite = std::isfinite(bucket.left) && std::isfinite(bucket.right);
      if (!(bucket.count > 0) || !is_finite) continue;
      range.add(bucket.left);
      range.add(bucket.right);
    }
  }
  return range;
}

// The two ends of a band at one place.
struct BandEnds {
  Point low, high;
};

// The area between two places, as upright bars: slanted edges that meet would leave seams.
void fill_between(Canvas& canvas, Rect plot, const BandEnds& from, const BandEnds& to,
                  Color color) {
  const float begin = std::max(std::floor(from.low.x), plot.x0);
  const float end = std::min(std::floor(to.low.x), plot.x1);
  for (float x = begin; x < end; x += kPxABar) {
    const float width = std::max(1.0F, to.low.x - from.low.x);
    const float share = std::clamp((x + kPxABar / 2 - from.low.x) / width, 0.0F, 1.0F);
    const float low = from.low.y + (to.low.y - from.low.y) * share;
    const float high = from.high.y + (to.high.y - from.high.y) * share;
    canvas.fill({x, std::min(low, high), std::min(x + kPxABar, end), std::max(low, high)}, color);
  }
}

// Whether nothing is drawn between two columns: training began again, or there is nothing to draw.
bool are_apart(const BandChart::Column& from, const BandChart::Column& to) {
  return from.stretch != to.stretch || to.at < from.at || from.is_blank || to.is_blank;
}

}  // namespace

std::vector<std::size_t> spread_rows(std::size_t count, std::size_t most) {
  std::vector<std::size_t> rows;
  const std::size_t shown = std::min(count, std::max<std::size_t>(most, 1));
  for (std::size_t i = 0; i < shown; ++i) {
    // The last one always, as it is the newest.
    rows.push_back(shown == 1 ? count - 1 : i * (count - 1) / (shown - 1));
  }
  return rows;
}

std::size_t most_ridges(float height_px, float font_px) {
  const float room = height_px / std::max(1.0F, font_px * 0.2F);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1.0F, room)), 1, kMostRidges);
}

RidgeChart layout_ridges(const std::vector<LoggedHistogram>& histograms, const HistogramLook& look,
                         float width_px, float height_px, float font_px) {
  RidgeChart chart;
  static_cast<ChartFrame&>(chart) = make_chart_frame(width_px, height_px, font_px);
  const Rect plot = chart.plot;
  chart.x = make_number_axis(range_of_values(histograms), false, 0, plot.x0, plot.x1);
  const auto bins = static_cast<std::size_t>(
      std::clamp(plot.width() / kPxABin, 1.0F, static_cast<float>(kMostBins)));
  double most = 0;
  NumberRange steps;
  for (const LoggedHistogram& histogram : histograms) {
    RidgeChart::Ridge ridge{histogram.row, histogram.step, histogram.wall_time, 0, {}, {}};
    ridge.counts = events::equal_bins(histogram.buckets, chart.x.first, chart.x.last, bins);
    double most_of_ridge = 0;
    for (const double count : ridge.counts) most_of_ridge = std::max(most_of_ridge, count);
    most = std::max(most, most_of_ridge);
    ridge.has_not_finite = events::has_not_finite(histogram.buckets);
    ridge.is_blank = ridge.has_not_finite && most_of_ridge == 0;
    steps.add(static_cast<double>(histogram.step));
    chart.ridges.push_back(std::move(ridge));
  }
  // Old steps at the back, which is above: the lines of the newest stands at the bottom.
  const float high = look.is_offset ? plot.height() * kRidgeShare : plot.height() * 0.95F;
  chart.y = look.is_offset
                ? make_number_axis(steps, false, 0, plot.y0 + high, plot.y1)
                : make_number_axis({0, most > 0 ? most : 1}, false, 0, plot.y1, plot.y1 - high);
  const auto width = plot.width() / static_cast<float>(bins);
  for (RidgeChart::Ridge& ridge : chart.ridges) {
    ridge.base_px = look.is_offset ? chart.y.px(static_cast<double>(ridge.step)) : plot.y1;
    // With one step the axis has room on both sides; it stands in the middle.
    ridge.points.push_back({plot.x0, ridge.base_px});
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const double share = most > 0 ? ridge.counts[bin] / most : 0;
      ridge.points.push_back({plot.x0 + (static_cast<float>(bin) + 0.5F) * width,
                              ridge.base_px - static_cast<float>(share) * high});
    }
    ridge.points.push_back({plot.x1, ridge.base_px});
  }
  return chart;
}

BandChart layout_bands(const std::vector<LoggedHistogram>& histograms, const ScalarLook& look,
                       double begin_s, float width_px, float height_px, float font_px) {
  BandChart chart;
  static_cast<ChartFrame&>(chart) = make_chart_frame(width_px, height_px, font_px);
  chart.axis = look.axis;
  chart.x_kind = number_kind(look.axis);
  const LoggedCurve curve{{}, {}, begin_s};
  NumberRange x;
  NumberRange y;
  double least_positive = 0;
  for (const LoggedHistogram& histogram : histograms) {
    BandChart::Column column{histogram.row, histogram.step, histogram.wall_time, 0, {}};
    column.at = log_axis_number(look.axis, curve, {histogram.wall_time, histogram.step, 0});
    column.values = events::band_values(histogram.buckets);
    column.stretch = histogram.stretch;
    column.has_not_finite = events::has_not_finite(histogram.buckets);
    const bool has_values =
        std::isfinite(column.values.front()) && std::isfinite(column.values.back());
    column.is_blank = column.has_not_finite && !has_values;
    if (!std::isfinite(column.at)) {
      ++chart.unreadable;
      continue;
    }
    if (!has_values && !column.is_blank) {
      ++chart.empty;
      continue;
    }
    x.add(column.at);
    const bool is_visible =
        look.visible.empty() || (look.visible.first <= column.at && column.at <= look.visible.last);
    for (const double value : column.values) {
      if (!is_visible || column.is_blank) break;
      y.add(value);
      if (value > 0 && (least_positive == 0 || value < least_positive)) least_positive = value;
    }
    chart.columns.push_back(column);
  }
  // Rows are by step; of writers that take turns one may be ahead of another in time.
  std::stable_sort(chart.columns.begin(), chart.columns.end(),
                   [](const BandChart::Column& a, const BandChart::Column& b) {
                     return std::tie(a.stretch, a.at) < std::tie(b.stretch, b.at);
                   });
  if (!look.visible.empty()) x = look.visible;
  const Rect plot = chart.plot;
  chart.x = make_number_axis(x, look.is_log_x, std::max(x.first, 1.0), plot.x0, plot.x1);
  chart.y = make_number_axis(y, look.is_log_y, least_positive, plot.y1, plot.y0);
  return chart;
}

void draw_ridges(Canvas& canvas, const Palette& palette, const RidgeChart& chart, Point at,
                 std::string_view title, Color color) {
  const Notes notes = {chart.ridges.size(), chart.rows, chart.unreadable, 0,
                       count_not_finite(chart.ridges)};
  draw_chart_frame(canvas, palette, chart, at, title, notes.text(), notes.is_warning());
  canvas.push_clip(moved(chart.plot, at));
  std::vector<Point> points;
  for (std::size_t i = 0; i < chart.ridges.size(); ++i) {
    const RidgeChart::Ridge& ridge = chart.ridges[i];
    points.clear();
    for (const Point point : ridge.points) points.push_back(moved(point, at));
    const Color own = ridge_color(palette, color, i, chart.ridges.size());
    if (ridge.is_blank) continue;
    canvas.area(points, ridge.base_px + at.y, blend(palette.panel, own, 0.4).with_alpha(0.85));
    canvas.polyline(points, own, 1);
  }
  // On top: newer ridges would hide them.
  for (const RidgeChart::Ridge& ridge : chart.ridges) {
    const Point end = moved(Point{chart.plot.x1, ridge.base_px}, at);
    if (ridge.is_blank) {
      canvas.line(moved(Point{chart.plot.x0, ridge.base_px}, at), end, palette.warning, 1,
                  Dash::kDotted);
    }
    if (ridge.has_not_finite) {
      draw_mark(canvas, palette, {end.x - chart.font_px, end.y}, chart.font_px);
    }
  }
  canvas.pop_clip();
}

void draw_bands(Canvas& canvas, const Palette& palette, const BandChart& chart, Point at,
                std::string_view title, Color color) {
  const Notes notes = {chart.columns.size() + static_cast<std::size_t>(chart.empty), chart.rows,
                       chart.unreadable, chart.empty, count_not_finite(chart.columns)};
  draw_chart_frame(canvas, palette, chart, at, title, notes.text(), notes.is_warning());
  const Rect plot = moved(chart.plot, at);
  canvas.push_clip(plot);
  const auto place = [&](const BandChart::Column& column, std::size_t share) {
    const float y = chart.y.px(column.values[share]);
    return Point{chart.x.px(column.at) + at.x, (std::isfinite(y) ? y : chart.plot.y1) + at.y};
  };
  constexpr std::size_t kMedian = events::kBandShares.size() / 2;
  for (std::size_t share = 0; share < kMedian; ++share) {
    const std::size_t other = events::kBandShares.size() - 1 - share;
    const Color shade = blend(palette.panel, color, kBandShade * static_cast<double>(share + 1));
    for (std::size_t i = 1; i < chart.columns.size(); ++i) {
      const BandChart::Column& from = chart.columns[i - 1];
      const BandChart::Column& to = chart.columns[i];
      if (are_apart(from, to)) continue;
      fill_between(canvas, plot, {place(from, share), place(from, other)},
                   {place(to, share), place(to, other)}, shade);
    }
  }
  std::vector<Point> points;
  for (const std::size_t share : {std::size_t{0}, kMedian, events::kBandShares.size() - 1}) {
    points.clear();
    const auto draw = [&] {
      if (points.size() > 1) canvas.polyline(points, color, share == kMedian ? 2.0F : 1.0F);
      points.clear();
    };
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
      if (i > 0 && are_apart(chart.columns[i - 1], chart.columns[i])) draw();
      if (!chart.columns[i].is_blank) points.push_back(place(chart.columns[i], share));
    }
    draw();
  }
  for (std::size_t i = 0; i < chart.columns.size(); ++i) {
    const BandChart::Column& own = chart.columns[i];
    const bool is_alone = (i == 0 || are_apart(chart.columns[i - 1], own)) &&
                          (i + 1 == chart.columns.size() || are_apart(own, chart.columns[i + 1]));
    // A column alone has no width.
    if (is_alone && !own.is_blank) {
      canvas.line(place(own, 0), place(own, kBandNames.size() - 1), color, 3);
    }
    const float x = chart.x.px(own.at) + at.x;
    if (own.is_blank) canvas.line({x, plot.y0}, {x, plot.y1}, palette.warning, 1, Dash::kDotted);
    if (own.has_not_finite) {
      draw_mark(canvas, palette, {x, plot.y0 + chart.font_px * 0.7F}, chart.font_px);
    }
  }
  canvas.pop_clip();
}

std::optional<RidgeHit> hit_ridges(const RidgeChart& chart, Point point) {
  if (chart.ridges.empty() || !chart.plot.contains(point)) return std::nullopt;
  const std::size_t bins = chart.ridges.front().counts.size();
  const float share = (point.x - chart.plot.x0) / chart.plot.width();
  const std::size_t bin =
      std::min(bins - 1, static_cast<std::size_t>(share * static_cast<float>(bins)));
  // The foremost ridge that covers the point, else the one whose line is nearest.
  std::optional<RidgeHit> nearest;
  float nearest_px = 0;
  for (std::size_t i = chart.ridges.size(); i-- > 0;) {
    const RidgeChart::Ridge& ridge = chart.ridges[i];
    const float top = ridge.points[bin + 1].y;
    if (top <= point.y && point.y <= ridge.base_px) return RidgeHit{i, bin};
    const float off = std::min(std::abs(top - point.y), std::abs(ridge.base_px - point.y));
    if (!nearest || off < nearest_px) {
      nearest = RidgeHit{i, bin};
      nearest_px = off;
    }
  }
  return nearest;
}

void draw_ridge_hit(Canvas& canvas, const Palette& palette, const RidgeChart& chart, Point at,
                    const RidgeHit& hit) {
  const RidgeChart::Ridge& ridge = chart.ridges[hit.ridge];
  canvas.push_clip(moved(chart.plot, at));
  std::vector<Point> points;
  for (const Point point : ridge.points) points.push_back(moved(point, at));
  canvas.polyline(points, palette.hover, 2);
  const Point dot = points[hit.bin + 1];
  const float radius = chart.font_px * 0.25F;
  canvas.fill({dot.x - radius, dot.y - radius, dot.x + radius, dot.y + radius}, palette.hover,
              radius);
  canvas.pop_clip();
}

std::string ridge_hit_text(const RidgeChart& chart, const RidgeHit& hit) {
  const RidgeChart::Ridge& ridge = chart.ridges[hit.ridge];
  if (ridge.is_blank) return fmt::format("step {}  values that are NaN or infinite", ridge.step);
  const double width = (chart.x.last - chart.x.first) / static_cast<double>(ridge.counts.size());
  const double from = chart.x.first + width * static_cast<double>(hit.bin);
  return fmt::format("step {}  {} to {}: {}{}", ridge.step, number_text(from),
                     number_text(from + width), number_text(ridge.counts[hit.bin]),
                     ridge.has_not_finite ? "; also values that are NaN or infinite" : "");
}

std::optional<std::size_t> hit_bands(const BandChart& chart, float x_px) {
  if (x_px < chart.plot.x0 || x_px > chart.plot.x1) return std::nullopt;
  std::optional<std::size_t> nearest;
  float nearest_px = 0;
  for (std::size_t i = 0; i < chart.columns.size(); ++i) {
    const float off = std::abs(chart.x.px(chart.columns[i].at) - x_px);
    if (nearest && off >= nearest_px) continue;
    nearest = i;
    nearest_px = off;
  }
  return nearest;
}

void draw_band_hit(Canvas& canvas, const Palette& palette, const BandChart& chart, Point at,
                   std::size_t column) {
  const Rect plot = moved(chart.plot, at);
  const float x = chart.x.px(chart.columns[column].at) + at.x;
  canvas.push_clip(plot);
  canvas.line({x, plot.y0}, {x, plot.y1}, palette.hover, 1);
  canvas.pop_clip();
}

std::vector<std::string> band_hit_text(const BandChart& chart, std::size_t column) {
  const BandChart::Column& own = chart.columns[column];
  std::vector<std::string> lines;
  std::string head = fmt::format("step {}", own.step);
  if (chart.axis == LogAxis::kRelative) head += "  " + duration_text(own.at);
  if (chart.axis == LogAxis::kWallTime) head += "  " + wall_time_text(own.wall_time);
  lines.push_back(std::move(head));
  if (own.has_not_finite) lines.emplace_back("values that are NaN or infinite");
  if (own.is_blank) return lines;
  for (std::size_t i = kBandNames.size(); i-- > 0;) {
    lines.push_back(fmt::format("{} {}", kBandNames[i], number_text(own.values[i])));
  }
  return lines;
}

}  // namespace tideline::render
