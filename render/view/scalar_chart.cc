// Tested by tests/unit/view/scalar_chart_test.cc.
#include "render/view/scalar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "render/view/labels.h"

namespace tideline::render {
namespace {

constexpr float kLineShare = 1.6F / 15;  // of the font's height
constexpr double kRoom = 0.05;           // above and below the curves
constexpr double kPaleRaw = 0.35;

// The values that are not finite, as triangles at the ends of the vertical axis that point to where
// they are.
void draw_marks(Canvas& canvas, const CurveLines& lines, const Rect& plot, Point by, Color color,
                float font_px) {
  const float size = font_px * 0.5F;
  for (const Point mark : lines.not_finite) {
    const Point at = moved(mark, by);
    const float inward = at.y > (plot.y0 + plot.y1) / 2 ? -size : size;
    canvas.triangle({at.x - size / 2, at.y + inward}, {at.x + size / 2, at.y + inward}, at, color);
  }
}

// A point alone is a dot: a line through one point would not be seen.
void draw_lines(Canvas& canvas, const CurveLines& lines, Point by, Color color, float width_px) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < lines.begins.size(); ++i) {
    points.clear();
    for (const Point point : lines.line(i)) points.push_back(moved(point, by));
    if (points.size() == 1) {
      const Point at = points.front();
      canvas.fill({at.x - width_px, at.y - width_px, at.x + width_px, at.y + width_px}, color,
                  width_px);
    } else {
      canvas.polyline(points, color, width_px);
    }
  }
}

void draw_number(Canvas& canvas, const ScalarChart& chart, const ScalarChart::Line& line, Point by,
                 Color color, Labels& labels) {
  const auto& points = line.smoothed.points;
  const auto last = std::find_if(points.rbegin(), points.rend(), [&](Point point) {
    return point.x >= chart.plot.x0 && point.x <= chart.plot.x1 && point.y >= chart.plot.y0 &&
           point.y <= chart.plot.y1;
  });
  if (last == points.rend()) return;
  const float size = small_font_px(chart.font_px);
  const Point at = moved(*last, by);
  const std::string text = fmt::format("{}", line.number);
  // Lines that end together have their numbers above and below each other, then before the end.
  std::vector<Point> places;
  for (const float x : {at.x + size * 0.3F, at.x - size * 1.2F, at.x - size * 2.4F}) {
    for (const float row : {0.0F, -1.0F, 1.0F, -2.0F, 2.0F, -3.0F, 3.0F}) {
      places.push_back({x, at.y - size / 2 + row * size});
    }
  }
  const auto place = labels.place(places, canvas.text_width(text, size), size);
  if (place) canvas.text(*place, text, color, size);
}

// Of the values that most runs have; on a logarithmic axis only positive ones have a place.
NumberRange middle_of(const std::vector<RunCurve>& curves, const ScalarLook& look, NumberRange all,
                      double& least_positive) {
  std::vector<double> values;
  for (const RunCurve& run : curves) {
    add_values(run.curve, look.axis, look.visible, look.smoothing_0_1, values);
  }
  if (look.is_log_y) std::erase_if(values, [](double value) { return value <= 0; });
  const NumberRange middle = without_outliers(values);
  if (middle.empty()) return all;
  if (middle.first > 0) least_positive = middle.first;
  return middle;
}

std::int64_t count_outliers(const std::vector<RunCurve>& curves, const ScalarLook& look,
                            const NumberAxis& y) {
  std::int64_t count = 0;
  for (const RunCurve& run : curves) {
    for (const events::ScalarPoint& point : run.curve.points) {
      const double x = log_axis_number(look.axis, run.curve, point);
      const bool is_seen =
          look.visible.empty() || (x >= look.visible.first && x <= look.visible.last);
      const bool is_outside = point.value < y.first || point.value > y.last;
      if (is_seen && is_outside && std::isfinite(point.value)) ++count;
    }
  }
  return count;
}

}  // namespace

float draw_run_names(Canvas& canvas, const Palette& palette, const std::vector<RunCurve>& curves,
                     Rect area, float font_px) {
  const float size = small_font_px(font_px);
  Point at = {area.x0, area.y0};
  for (const RunCurve& run : curves) {
    const std::string text = fmt::format("{} {}", run.number, printable(run.run, 80));
    const float width = canvas.text_width(text, size) + 1.5F * size;
    if (at.x > area.x0 && at.x + width > area.x1) at = {area.x0, at.y + 1.3F * size};
    if (at.y + size > area.y1) break;
    canvas.text(at, text, run_color(palette, run.number), size);
    at.x += width;
  }
  return curves.empty() ? 0 : at.y + 1.3F * size - area.y0;
}

Color run_color(const Palette& palette, std::uint32_t number) {
  return palette.scopes[(std::max(number, 1U) - 1) % palette.scopes.size()];
}

ScalarChart layout_scalars(const std::vector<RunCurve>& curves, const ScalarLook& look,
                           float width_px, float height_px, float font_px) {
  ScalarChart chart;
  static_cast<ChartFrame&>(chart) = make_chart_frame(width_px, height_px, font_px);
  chart.look = look;
  chart.x_kind = number_kind(look.axis);
  NumberRange x;
  NumberRange y;
  double least_positive = 0;
  for (const RunCurve& run : curves) {
    const CurveExtent extent = curve_extent(run.curve, look.axis, look.visible, look.smoothing_0_1);
    chart.points += static_cast<std::int64_t>(run.curve.points.size());
    chart.not_finite += extent.not_finite;
    x.add(extent.x);
    y.add(extent.y);
    if (extent.least_positive > 0 &&
        (least_positive == 0 || extent.least_positive < least_positive)) {
      least_positive = extent.least_positive;
    }
  }
  if (look.leaves_out_outliers) y = middle_of(curves, look, y, least_positive);
  if (!look.visible.empty()) x = look.visible;
  // The smallest number that a logarithmic axis of steps or time can begin with is arbitrary.
  chart.x =
      make_number_axis(x, look.is_log_x, std::max(x.first, 1.0), chart.plot.x0, chart.plot.x1);
  chart.y = make_number_axis(y, look.is_log_y, least_positive, chart.plot.y1, chart.plot.y0);
  if (chart.y.is_log) {
    const double room = std::pow(chart.y.last / chart.y.first, kRoom);
    chart.y.first /= room;
    chart.y.last *= room;
  } else {
    const double room = (chart.y.last - chart.y.first) * kRoom;
    chart.y.first -= room;
    chart.y.last += room;
  }
  if (look.leaves_out_outliers) chart.outliers = count_outliers(curves, look, chart.y);
  for (const RunCurve& run : curves) {
    ScalarChart::Line line;
    line.number = run.number;
    line.smoothed = curve_lines(run.curve, look.axis, chart.x, chart.y, look.smoothing_0_1);
    if (look.smoothing_0_1 > 0) {
      line.raw = curve_lines(run.curve, look.axis, chart.x, chart.y, 0);
    }
    for (const std::uint64_t row : run.curve.restarts) {
      if (row >= run.curve.points.size()) continue;
      line.restarts_px.push_back(
          chart.x.px(log_axis_number(look.axis, run.curve, run.curve.points[row])));
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

void draw_scalars(Canvas& canvas, const Palette& palette, const ScalarChart& chart, Point at,
                  std::string_view title) {
  const float width = std::max(1.0F, chart.font_px * kLineShare);
  const Rect plot = moved(chart.plot, at);
  const auto values_are = [](std::int64_t count, std::string_view what) {
    return fmt::format("{} {} {}", count, count == 1 ? "value is" : "values are", what);
  };
  std::string note;
  if (chart.not_finite > 0) note = values_are(chart.not_finite, "not a finite number");
  if (chart.outliers > 0) {
    note += (note.empty() ? "" : "; ") + values_are(chart.outliers, "outside");
  }
  draw_chart_frame(canvas, palette, chart, at, title, note, true);
  canvas.push_clip(plot);
  for (const ScalarChart::Line& line : chart.lines) {
    const Color color = run_color(palette, line.number);
    draw_lines(canvas, line.raw, at, color.with_alpha(kPaleRaw), width);
    for (const float x : line.restarts_px) {
      canvas.line({x + at.x, plot.y0}, {x + at.x, plot.y1}, color.with_alpha(0.6), 1,
                  Dash::kDotted);
    }
  }
  for (const ScalarChart::Line& line : chart.lines) {
    draw_lines(canvas, line.smoothed, at, run_color(palette, line.number), width);
    draw_marks(canvas, line.smoothed, plot, at, run_color(palette, line.number), chart.font_px);
  }
  canvas.pop_clip();
  Labels labels({plot.x0, plot.y0, at.x + chart.width_px, plot.y1});
  for (const ScalarChart::Line& line : chart.lines) {
    draw_number(canvas, chart, line, at, run_color(palette, line.number), labels);
  }
}

std::vector<ScalarHit> hit_scalars(const std::vector<RunCurve>& curves, const ScalarChart& chart,
                                   float x_px) {
  std::vector<ScalarHit> hits;
  if (x_px < chart.plot.x0 || x_px > chart.plot.x1) return hits;
  const double number = chart.x.number(x_px);
  for (const RunCurve& run : curves) {
    const LogAxis axis = chart.look.axis;
    const NearestPoint nearest = nearest_point(run.curve, axis, number, chart.look.smoothing_0_1);
    if (!nearest.is_found) continue;
    const events::ScalarPoint& point = run.curve.points[nearest.row];
    const double shown = chart.look.smoothing_0_1 > 0 ? nearest.smoothed : point.value;
    hits.push_back({run.number,
                    run.run,
                    nearest.row,
                    point,
                    nearest.smoothed,
                    {chart.x.px(log_axis_number(axis, run.curve, point)), chart.y.px(shown)}});
  }
  return hits;
}

void draw_scalar_hits(Canvas& canvas, const Palette& palette, const ScalarChart& chart, Point at,
                      const std::vector<ScalarHit>& hits) {
  if (hits.empty()) return;
  const Rect plot = moved(chart.plot, at);
  canvas.push_clip(plot);
  const float x = hits.front().at.x + at.x;
  canvas.line({x, plot.y0}, {x, plot.y1}, palette.hover, 1);
  const float radius = chart.font_px * 0.25F;
  for (const ScalarHit& hit : hits) {
    const Point dot = moved(hit.at, at);
    if (!std::isfinite(dot.y)) continue;
    canvas.fill({dot.x - radius, dot.y - radius, dot.x + radius, dot.y + radius},
                run_color(palette, hit.number), radius);
  }
  canvas.pop_clip();
}

std::string hit_text(const ScalarHit& hit, const ScalarLook& look, double begin_s) {
  std::string text = fmt::format("{} {}  step {}  {}", hit.number, printable(hit.run, 200),
                                 hit.point.step, number_text(hit.point.value));
  if (look.smoothing_0_1 > 0) text += fmt::format(" (smoothed {})", number_text(hit.smoothed));
  text += "  " + duration_text(hit.point.wall_time - begin_s);
  const std::string wall = wall_time_text(hit.point.wall_time);
  if (look.axis == LogAxis::kWallTime && !wall.empty()) text += "  " + wall;
  return text;
}

}  // namespace tideline::render
