// Tested by tests/unit/view/sweep_chart_test.cc.
#include "render/view/sweep_chart.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "render/view/chart_frame.h"

namespace tideline::render {
namespace {

constexpr double kPalest = 0.12;  // of the colour of the least, over the background
constexpr int kRampSteps = 24;

Color color_of(const Palette& palette, SweepChart::Quantity quantity, double share) {
  const Color full = quantity == SweepChart::Quantity::kPeak ? palette.device : palette.swap_out;
  return full.with_alpha(kPalest + (1 - kPalest) * share).over(palette.background);
}

// What is read best on `ground`.
Color ink_on(Color ground, const Palette& palette) {
  const auto light = [](Color color) { return 3 * color.r + 6 * color.g + color.b; };
  const auto distance = [&](Color color) { return std::abs(light(color) - light(ground)); };
  return distance(palette.text) >= distance(palette.background) ? palette.text : palette.background;
}

void draw_cells(Canvas& canvas, const Palette& palette, const SweepChart& chart,
                const SweepChart::Plot& plot, Point at) {
  for (const SweepChart::Mark& mark : plot.marks) {
    const Rect box = moved(mark.box, at);
    Color ground = palette.background;
    if (mark.fits) {
      ground = color_of(palette, plot.quantity, mark.share_0_1);
      canvas.fill(box, ground);
    } else {
      canvas.hatch(box, palette.dim_text.with_alpha(0.5));
      canvas.frame(box, palette.grid, 1);
    }
    if (mark.text.empty()) continue;
    const float width = canvas.text_width(mark.text, chart.text_px);
    const Point place = {(box.x0 + box.x1 - width) / 2, (box.y0 + box.y1 - chart.text_px) / 2};
    if (!mark.fits) {  // readable on the hatching
      canvas.fill({place.x - 2, place.y, place.x + width + 2, place.y + chart.text_px}, ground);
    }
    canvas.text(place, mark.text, mark.fits ? ink_on(ground, palette) : palette.dim_text,
                chart.text_px);
  }
  const Rect ramp = moved(plot.ramp, at);
  const float step = ramp.width() / kRampSteps;
  for (int i = 0; i < kRampSteps; ++i) {
    const float x = ramp.x0 + step * static_cast<float>(i);
    canvas.fill({x, ramp.y0, x + step, ramp.y1},
                color_of(palette, plot.quantity, static_cast<double>(i) / (kRampSteps - 1)));
  }
}

void draw_points(Canvas& canvas, const Palette& palette, const SweepChart::Plot& plot, Point at) {
  const Rect area = moved(plot.area, at);
  for (const float y : plot.grid_px) {
    canvas.line({area.x0, y + at.y}, {area.x1, y + at.y}, palette.grid, 1);
  }
  if (plot.budget_px) {
    canvas.line({area.x0, *plot.budget_px + at.y}, {area.x1, *plot.budget_px + at.y},
                palette.budget, 1.5F, Dash::kDashed);
  }
  const Color color = color_of(palette, plot.quantity, 1);
  std::vector<Point> middles;
  for (const SweepChart::Mark& mark : plot.marks) {
    const Rect box = moved(mark.box, at);
    middles.push_back({(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2});
  }
  if (middles.size() > 1) canvas.polyline(middles, color.with_alpha(0.5), 1.5F);
  for (const SweepChart::Mark& mark : plot.marks) {
    const Rect box = moved(mark.box, at);
    canvas.fill(box, mark.fits ? color : palette.background, box.width() / 2);
    if (!mark.fits) canvas.frame(box, color, 1.5F, box.width() / 2);
  }
}

void draw_plot(Canvas& canvas, const Palette& palette, const SweepChart& chart,
               const SweepChart::Plot& plot, Point at) {
  if (chart.is_map) {
    draw_cells(canvas, palette, chart, plot, at);
  } else {
    draw_points(canvas, palette, plot, at);
  }
  canvas.frame(moved(plot.area, at), palette.outline, 1);
  if (chart.best && *chart.best < plot.marks.size()) {
    Rect box = moved(plot.marks[*chart.best].box, at);
    const float out = chart.is_map ? 0 : chart.text_px * 0.3F;
    box = {box.x0 - out, box.y0 - out, box.x1 + out, box.y1 + out};
    canvas.frame(box, palette.selection, std::max(2.0F, chart.text_px * 0.2F));
  }
  for (const SweepChart::Text& text : plot.texts) {
    canvas.text({text.box.x0 + at.x, text.box.y0 + at.y}, text.text,
                text.is_dim ? palette.dim_text : palette.text, chart.text_px);
  }
}

}  // namespace

void draw_sweep(Canvas& canvas, const Palette& palette, const SweepChart& chart, Point at) {
  canvas.fill({at.x, at.y, at.x + chart.width_px, at.y + chart.height_px}, palette.background);
  Legend words = chart.words;
  for (LegendEntry& entry : words.entries) entry.at.x += at.x;
  draw_legend(canvas, words, at.y + chart.text_px * 0.4F, palette.dim_text, palette.panel);
  draw_plot(canvas, palette, chart, chart.peak, at);
  draw_plot(canvas, palette, chart, chart.time, at);
}

}  // namespace tideline::render
