// Tested by tests/unit/view/fit_chart_test.cc.
#include "render/view/fit_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "render/view/scalar_chart.h"

namespace tideline::render {
namespace {

constexpr float kFitLineShare = 0.13F;  // of the text's height
constexpr float kFitMarkShare = 0.34F;  // half of its width
constexpr float kFitHollowShare = 0.6F;
constexpr float kFitNearRows = 1.5F;

// By the line's number, so that lines can be told apart without colours.
constexpr std::array kWayDashes = {Dash::kSolid, Dash::kDashed, Dash::kDotted, Dash::kSolid};
enum class WayShape { kDisc, kSquare, kTriangle, kDiamond };
constexpr std::array kWayShapes = {WayShape::kDisc, WayShape::kSquare, WayShape::kTriangle,
                                   WayShape::kDiamond};

Color way_color(const Palette& palette, std::size_t line) {
  return run_color(palette, static_cast<std::uint32_t>(line) + 1);
}

void draw_way_shape(Canvas& canvas, WayShape shape, Point at, float half, Color color) {
  const Rect box = {at.x - half, at.y - half, at.x + half, at.y + half};
  switch (shape) {
    case WayShape::kDisc: return canvas.fill(box, color, half);
    case WayShape::kSquare: return canvas.fill(box, color);
    case WayShape::kTriangle:
      return canvas.triangle({box.x0, box.y1}, {box.x1, box.y1}, {at.x, box.y0}, color);
    case WayShape::kDiamond:
      canvas.triangle({box.x0, at.y}, {box.x1, at.y}, {at.x, box.y0}, color);
      return canvas.triangle({box.x0, at.y}, {box.x1, at.y}, {at.x, box.y1}, color);
  }
}

void draw_way_mark(Canvas& canvas, WayShape shape, Point at, float half, Color color,
                   bool is_hollow, Color ground) {
  draw_way_shape(canvas, shape, at, half, color);
  if (is_hollow) draw_way_shape(canvas, shape, at, half * kFitHollowShare, ground);
}

void draw_fit_axes(Canvas& canvas, const Palette& palette, const FitChart& chart,
                   const FitChart::Plot& frame, Point by) {
  const Rect plot = moved(frame.plot, by);
  canvas.frame(plot, palette.outline, 1);
  for (const NumberTick& tick : number_ticks(frame.y, NumberKind::kPlain, chart.text_px * 2.2F)) {
    const float y = frame.y.px(tick.number) + by.y;
    canvas.line({plot.x0, y}, {plot.x1, y}, palette.grid, 1);
  }
  for (const NumberTick& tick : number_ticks(frame.x, NumberKind::kPlain, chart.text_px * 3)) {
    const float x = frame.x.px(tick.number) + by.x;
    canvas.line({x, plot.y0}, {x, plot.y1}, palette.grid, 1);
  }
  if (chart.batch_px) {
    const float x = *chart.batch_px + by.x;
    canvas.line({x, plot.y0}, {x, plot.y1}, palette.text, 1, Dash::kDashed);
  }
}

void draw_way_lines(Canvas& canvas, const Palette& palette, const FitChart& chart,
                    const FitChart::Plot& frame, Point by) {
  const float half = chart.text_px * kFitMarkShare;
  const float width = std::max(1.0F, chart.text_px * kFitLineShare);
  // A mark at the border is drawn whole.
  const Rect plot = moved(frame.plot, by);
  canvas.push_clip({plot.x0 - half, plot.y0 - half, plot.x1 + half, plot.y1 + half});
  for (std::size_t i = 0; i < frame.lines.size(); ++i) {
    const std::vector<FitChart::Mark>& marks = frame.lines[i];
    for (std::size_t at = 1; at < marks.size(); ++at) {
      if (!marks[at].is_joined) continue;
      canvas.line(moved(marks[at - 1].at, by), moved(marks[at].at, by), way_color(palette, i),
                  width, kWayDashes[i % kWayDashes.size()]);
    }
  }
  for (std::size_t i = 0; i < frame.lines.size(); ++i) {
    for (const FitChart::Mark& mark : frame.lines[i]) {
      draw_way_mark(canvas, kWayShapes[i % kWayShapes.size()], moved(mark.at, by), half,
                    way_color(palette, i), !mark.point.fits, palette.background);
    }
  }
  canvas.pop_clip();
}

void draw_fit_legend(Canvas& canvas, const Palette& palette, const FitChart& chart, Point by) {
  const float half = chart.text_px * kFitMarkShare;
  const float width = std::max(1.0F, chart.text_px * kFitLineShare);
  for (const FitChart::Entry& entry : chart.legend) {
    const Rect box = moved(entry.sample, by);
    const Point middle = {(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2};
    if (!entry.line) {
      draw_way_mark(canvas, WayShape::kDisc, middle, half, palette.dim_text, true,
                    palette.background);
      continue;
    }
    const Color color = way_color(palette, *entry.line);
    canvas.line({box.x0, middle.y}, {box.x1, middle.y}, color, width,
                kWayDashes[*entry.line % kWayDashes.size()]);
    draw_way_mark(canvas, kWayShapes[*entry.line % kWayShapes.size()], middle, half, color, false,
                  palette.background);
  }
}

Color label_color(const Palette& palette, FitLabel::Kind kind) {
  switch (kind) {
    case FitLabel::Kind::kDim: return palette.dim_text;
    case FitLabel::Kind::kText: return palette.text;
    case FitLabel::Kind::kBudget: return palette.budget;
  }
  return palette.text;
}

}  // namespace

void draw_fit(Canvas& canvas, const Palette& palette, const FitChart& chart, Point at) {
  const Rect all = {at.x, at.y, at.x + chart.width_px, at.y + chart.height_px};
  canvas.push_clip(all);
  canvas.fill(all, palette.background);
  if (!chart.titles.empty()) {
    for (const FitChart::Plot* plot : {&chart.peak, &chart.time}) {
      draw_fit_axes(canvas, palette, chart, *plot, at);
    }
    if (chart.budget_px) {
      const float y = *chart.budget_px + at.y;
      canvas.line({chart.peak.plot.x0 + at.x, y}, {chart.peak.plot.x1 + at.x, y}, palette.budget,
                  std::max(1.0F, chart.text_px * kFitLineShare));
    }
    for (const FitChart::Plot* plot : {&chart.peak, &chart.time}) {
      draw_way_lines(canvas, palette, chart, *plot, at);
    }
    draw_fit_legend(canvas, palette, chart, at);
  }
  for (const FitLabel& label : chart.labels) {
    const Rect box = moved(label.box, at);
    if (label.kind == FitLabel::Kind::kBudget) {
      canvas.fill(box, palette.background.with_alpha(0.85), chart.text_px * 0.2F);
    }
    canvas.text({box.x0, box.y0}, label.text, label_color(palette, label.kind), chart.text_px);
  }
  canvas.pop_clip();
}

std::optional<FitHit> hit_fit(const FitChart& chart, Point at) {
  std::optional<FitHit> nearest;
  float least = kFitNearRows * chart.text_px;
  for (const FitChart::Plot* plot : {&chart.peak, &chart.time}) {
    for (std::size_t i = 0; i < plot->lines.size(); ++i) {
      for (const FitChart::Mark& mark : plot->lines[i]) {
        const float far = std::hypot(mark.at.x - at.x, mark.at.y - at.y);
        if (far >= least) continue;
        least = far;
        nearest = FitHit{i, mark.point, mark.at};
      }
    }
  }
  return nearest;
}

std::vector<std::string> hit_lines(const FitChart& chart, const FitHit& hit) {
  std::vector<std::string> lines = {
      fmt::format("{}, batch size {}", printable(chart.titles[hit.line]), hit.point.batch),
      fmt::format("device peak {}, {}", format_bytes(hit.point.device_peak),
                  hit.point.fits ? "fits" : "does not fit")};
  if (hit.point.example_ns > 0) {
    lines.push_back(format_time(std::llround(hit.point.example_ns)) + " an example");
  }
  return lines;
}

}  // namespace tideline::render
