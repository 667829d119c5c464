// Tested by tests/unit/view/scalar_chart_test.cc and tests/unit/view/histogram_chart_test.cc.
#include "render/view/chart_frame.h"

#include <algorithm>

#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

void draw_chart_grid(Canvas& canvas, const Palette& palette, const ChartFrame& frame, Point by) {
  const float size = small_font_px(frame.font_px);
  const Rect plot = moved(frame.plot, by);
  canvas.frame(plot, palette.grid, 1);
  for (const NumberTick& tick : number_ticks(frame.y, NumberKind::kPlain, size * 2.2F)) {
    const float y = frame.y.px(tick.number) + by.y;
    canvas.line({plot.x0, y}, {plot.x1, y}, palette.grid, 1);
    canvas.text({plot.x0 - size * 0.4F, y - size / 2}, tick.text, palette.dim_text, size,
                Align::kRight);
  }
  float free_from = plot.x0 - size * 2;
  for (const NumberTick& tick : number_ticks(frame.x, frame.x_kind, size * 6)) {
    const float x = frame.x.px(tick.number) + by.x;
    canvas.line({x, plot.y0}, {x, plot.y1}, palette.grid, 1);
    const float half = canvas.text_width(tick.text, size) / 2;
    if (x - half < free_from || x + half > plot.x1 + size * 2) continue;
    canvas.text({x, plot.y1 + size * 0.3F}, tick.text, palette.dim_text, size, Align::kCenter);
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
                std::max(font_px * 1.6F + 1, height_px - size * 1.6F)};
  return frame;
}

void draw_chart_frame(Canvas& canvas, const Palette& palette, const ChartFrame& frame, Point at,
                      std::string_view title, std::string_view note, bool is_warning) {
  canvas.fill({at.x, at.y, at.x + frame.width_px, at.y + frame.height_px}, palette.panel,
              frame.font_px * 0.2F);
  const float size = small_font_px(frame.font_px);
  const float note_px = note.empty() ? 0 : canvas.text_width(note, size) + size;
  canvas.text({at.x + size * 0.6F, at.y + frame.font_px * 0.3F},
              fit_name(canvas, title, frame.font_px, frame.width_px - size * 2 - note_px),
              palette.text, frame.font_px);
  if (!note.empty()) {
    canvas.text({at.x + frame.width_px - size * 0.6F, at.y + frame.font_px * 0.4F}, note,
                is_warning ? palette.warning : palette.dim_text, size, Align::kRight);
  }
  draw_chart_grid(canvas, palette, frame, at);
}

}  // namespace tideline::render
