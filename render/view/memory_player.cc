// The step player in the memory view: the level to which memory has risen, and what comes in a
// veil. Tested by tests/unit/view/step_moment_test.cc.
#include <algorithm>
#include <array>
#include <cmath>

#include "render/view/memory_frame.h"
#include "render/view/step_moment.h"

namespace tideline::render {
namespace {

constexpr double kComingAlpha = 0.5;

}  // namespace

void draw_player(Canvas& canvas, const MemoryFrame& frame, Labels& labels) {
  const MemoryLook& look = frame.look;
  const bool is_shown = look.player && std::isfinite(*look.player) && look.memory->count > 0 &&
                        look.memory->axis == MemoryAxis::kLevel;
  if (!is_shown) return;
  const Palette& colors = *look.palette;
  const MemoryMoment moment = memory_moment(*look.memory, *look.player);
  const Axis& axis = frame.axis;
  const Rect& chart = frame.chart;
  const float x = axis.x(*look.player);
  const float past = std::clamp(axis.x(moment.level + 1.0), axis.x0, axis.x1);
  if (past < axis.x1) {
    canvas.fill({past, chart.y0, axis.x1, chart.y1}, colors.background.with_alpha(kComingAlpha));
  }
  const float width = look.font_px / 7;
  const float highest = frame.y(static_cast<double>(moment.highest));
  canvas.line({axis.x0, highest}, {axis.x1, highest}, colors.dim_text, width / 2, Dash::kDashed);
  const auto level = [&](Bytes bytes, Color color) {
    const float y = frame.y(static_cast<double>(bytes));
    canvas.line({axis.x0, y}, {axis.x1, y}, color, width);
    if (x < axis.x0 || x > axis.x1) return;
    const float half = look.font_px * 0.3F;
    canvas.fill({x - half, y - half, x + half, y + half}, color, half);
  };
  if (frame.shows_host()) level(moment.host, colors.host);
  level(moment.device, colors.device);
  if (x >= axis.x0 && x <= axis.x1) {
    canvas.line({x, chart.y0}, {x, chart.y1}, colors.accent, width);
  }
  const float size = look.font_px;
  if (chart.height() < size + 4) return;  // a chart too low for it
  const std::string text = first_that_fits(canvas, moment_wordings(moment, frame.shows_host()),
                                           size, std::max(size, axis.x1 - axis.x0 - size));
  const float text_px = canvas.text_width(text, size);
  const float right = x + size * 0.5F;
  const float left = right + text_px > axis.x1 ? x - text_px - size * 0.5F : right;
  const Point at = {std::clamp(left, axis.x0 + 2, std::max(axis.x0 + 2, axis.x1 - text_px - 2)),
                    chart.y0 + 2};
  const Rect place = {at.x - 3, at.y - 1, at.x + text_px + 3, at.y + size + 2};
  labels.take(place);
  canvas.fill(place, colors.background.with_alpha(0.85), 2);
  canvas.text(at, text, colors.text, size);
}

}  // namespace tideline::render
