// Tested by tests/unit/view/scalar_chart_test.cc and tests/unit/view/histogram_chart_test.cc.
#include "render/view/chart_frame.h"

#include <algorithm>

#include "render/view/labels.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

// A number stands only where it is whole and meets no other.
void draw_chart_grid(Canvas& canvas, const Palette& palette, const ChartFrame& frame, Point by) {
  const float size = small_font_px(frame.font_px);
  const Rect plot = moved(frame.plot, by);
  Labels labels(
      {by.x, plot.y0 - size, by.x + frame.width_px, by.y + frame.height_px + size * 0.2F});
  const auto write = [&](Point at, const std::string& text) {
    const float width = canvas.text_width(text, size);
    if (labels.try_take({at.x, at.y, at.x + width, at.y + size})) {
      canvas.text(at, text, palette.dim_text, size);
    }
  };
  canvas.frame(plot, palette.grid, 1);
  for (const NumberTick& tick : number_ticks(frame.y, NumberKind::kPlain, size * 2.2F)) {
    const float y = frame.y.px(tick.number) + by.y;
    canvas.line({plot.x0, y}, {plot.x1, y}, palette.grid, 1);
    write({plot.x0 - size * 0.4F - canvas.text_width(tick.text, size), y - size / 2}, tick.text);
  }
  float free_from = plot.x0 - size * 2;
  for (const NumberTick& tick : number_ticks(frame.x, frame.x_kind, size * 6)) {
    const float x = frame.x.px(tick.number) + by.x;
    canvas.line({x, plot.y0}, {x, plot.y1}, palette.grid, 1);
    const float half = canvas.text_width(tick.text, size) / 2;
    if (x - half < free_from) continue;
    write({x - half, plot.y1 + size * 0.6F}, tick.text);
    free_from = x + half + size;
  }
}

}  // namespace

float small_font_px(float font_px) {
  return font_px * 0.8F;
}

ChartFrame make_chart_frame(float width_px, float height_px, float font_px) {
  ChartFrame frame;
  frame.width_px = width_px;
  frame.height_px = height_px;
  frame.font_px = font_px;
  const float size = small_font_px(font_px);
  frame.plot = {size * 5, font_px * 1.6F, std::max(size * 5 + 1, width_px - size * 1.8F),
                std::max(font_px * 1.6F + 1, height_px - size * 1.9F)};
  return frame;
}

void draw_chart_frame(Canvas& canvas, const Palette& palette, const ChartFrame& frame, Point at,
                      std::string_view title, std::string_view note, bool is_warning) {
  canvas.fill({at.x, at.y, at.x + frame.width_px, at.y + frame.height_px}, palette.panel,
              frame.font_px * 0.2F);
  const float size = small_font_px(frame.font_px);
  const std::string said = fit_text(canvas, note, size, frame.width_px * 0.6F);
  const float note_px = said.empty() ? 0 : canvas.text_width(said, size) + size;
  canvas.text({at.x + size * 0.6F, at.y + frame.font_px * 0.3F},
              fit_name(canvas, title, frame.font_px, frame.width_px - size * 2 - note_px),
              palette.text, frame.font_px);
  if (!said.empty()) {
    canvas.text({at.x + frame.width_px - size * 0.6F, at.y + frame.font_px * 0.4F}, said,
                is_warning ? palette.warning : palette.dim_text, size, Align::kRight);
  }
  draw_chart_grid(canvas, palette, frame, at);
}

}  // namespace tideline::render
