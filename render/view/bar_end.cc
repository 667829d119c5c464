// Tested by unit/view/bar_end_test.cc and gui/bar_end_test.cc.
#include "render/view/bar_end.h"

#include <algorithm>
#include <cmath>

#include "render/view/levels_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kReachPx = 4;  // to the sides of an end
constexpr float kGhostPx = 2;
constexpr double kGhostAlpha = 0.35;

std::optional<BarEnd> movable(const SwapLayout& swaps, std::uint32_t index) {
  const SwapSpan& span = swaps.spans[index];
  // The op that a swap-in waits for runs after the producer, and before its reader.
  const BarEnd end = {index, span.out_level + 1, span.consumer_level - 1};
  if (span.in_file || !span.consumer.valid() || end.first_level > end.last_level) {
    return std::nullopt;
  }
  return end;
}

float x_of(const LevelsFrame& frame, const PlacedBar& bar, const SwapSpan& span) {
  return std::max(frame.axis.x(span.in_level), bar.rect.x0 + kLeastBarPx);
}

}  // namespace

std::int32_t BarEnd::nearest(double level) const {
  if (!(level > first_level)) return first_level;  // also when it is no number
  return static_cast<std::int32_t>(std::lround(std::min<double>(level, last_level)));
}

std::optional<BarEnd> bar_end_at(const LevelsLook& look, Point point) {
  if (!look.area.contains(point)) return std::nullopt;
  const LevelsFrame frame = measure_levels(look);
  std::optional<BarEnd> best;
  float nearest = kReachPx;
  for (const PlacedBar& bar : frame.placed) {
    if (point.y < bar.rect.y0 - 1 || point.y > bar.rect.y1 + 1) continue;
    for (std::uint32_t i = bar.bar->first_span; i < bar.bar->first_span + bar.bar->span_count;
         ++i) {
      const float away = std::abs(x_of(frame, bar, look.swaps->spans[i]) - point.x);
      if (away > nearest || !movable(*look.swaps, i)) continue;
      nearest = away;
      best = movable(*look.swaps, i);
    }
  }
  return best;
}

std::optional<BarEnd> bar_end_of(const LevelsLook& look, TensorId tensor, std::uint32_t swap_in) {
  const auto& spans = look.swaps->spans;
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    if (spans[i].in_file || spans[i].tensor != tensor || spans[i].swap_in != swap_in) continue;
    return movable(*look.swaps, i);
  }
  return std::nullopt;
}

void draw_moved_end(Canvas& canvas, const LevelsLook& look, const BarEnd& end, std::int32_t level,
                    const std::string& text) {
  const LevelsFrame frame = measure_levels(look);
  const Palette& colors = *look.palette;
  const auto is_it = [&](const PlacedBar& bar) {
    return end.span >= bar.bar->first_span && end.span < bar.bar->first_span + bar.bar->span_count;
  };
  const auto bar = std::find_if(frame.placed.begin(), frame.placed.end(), is_it);
  if (bar == frame.placed.end()) return;
  const float x = frame.axis.x(level);
  canvas.push_clip({look.area.x0, frame.lane.y0, look.area.x1, frame.rows.y1});
  const Rect ghost = {bar->rect.x0, bar->rect.y0, std::max(x, bar->rect.x0 + kLeastBarPx),
                      std::max(bar->rect.y1, bar->rect.y0 + 1)};
  canvas.fill(ghost, colors.swap_in.with_alpha(kGhostAlpha));
  canvas.frame(ghost, colors.swap_in, 1);
  canvas.fill({x - kGhostPx / 2, bar->rect.y0, x + kGhostPx / 2, frame.rows.y1}, colors.swap_in);
  const float size = look.font_px;
  const float pad = size * 0.3F;
  const std::string shown = fit_text(canvas, text, size, look.area.width() - 2 * pad);
  const float width = canvas.text_width(shown, size) + 2 * pad;
  const float left =
      std::clamp(x + pad, look.area.x0, std::max(look.area.x0, look.area.x1 - width));
  const float top = std::min(ghost.y1 + pad, frame.rows.y1 - size - 2 * pad);
  const Rect label = {left, top, left + width, top + size + pad};
  canvas.fill(label, colors.background);
  canvas.frame(label, colors.swap_in, 1);
  canvas.text({left + pad, top + pad / 2}, shown, colors.text, size);
  canvas.pop_clip();
}

}  // namespace tideline::render
