// A rectangle over the scopes view, and the levels of what it touches. Tested by
// unit/view/scopes_view_test.cc.
#include <algorithm>

#include "render/view/level_stretch.h"
#include "render/view/scopes_frame.h"
#include "render/view/scopes_view.h"

namespace tideline::render {
namespace {

constexpr double kBandAlpha = 0.12;

bool touches(const Rect& a, const Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

}  // namespace

std::vector<std::uint32_t> boxes_in(const ScopesLook& look, Rect band) {
  const ScopesFrame frame = measure_scopes(look);
  const Rect seen = {std::max(band.x0, frame.plot.x0), std::max(band.y0, frame.plot.y0),
                     std::min(band.x1, frame.plot.x1), std::min(band.y1, frame.plot.y1)};
  std::vector<std::uint32_t> found;
  const auto& placed = look.layout->placed;
  for (std::uint32_t i = 1; i < placed.size();) {
    const bool is_touched = touches(frame.rect_of(i), seen);
    if (is_touched && !placed[i].is_open) found.push_back(i);
    i = is_touched ? i + 1 : placed[i].end;
  }
  return found;
}

std::optional<BandLevels> levels_in(const ScopesLook& look, Rect band) {
  std::optional<BandLevels> levels;
  for (const std::uint32_t placed : boxes_in(look, band)) {
    const ScopeBox& box = look.boxes->boxes[look.layout->placed[placed].box];
    for (const OpId op : look.boxes->ops_of(box)) {
      const std::int32_t level = look.scene->levels->level(op);
      if (!levels) levels = BandLevels{level, level};
      levels->from = std::min(levels->from, level);
      levels->to = std::max(levels->to, level);
    }
  }
  return levels;
}

void draw_scopes_band(Canvas& canvas, const ScopesLook& look) {
  const Palette& colors = *look.palette;
  if (look.band) {
    const ScopesFrame frame = measure_scopes(look);
    for (const std::uint32_t placed : boxes_in(look, *look.band)) {
      canvas.frame(frame.rect_of(placed), colors.accent, 2);
    }
    canvas.fill(*look.band, colors.accent.with_alpha(kBandAlpha));
    canvas.frame(*look.band, colors.accent, 1);
  }
  draw_stretch_lines(canvas, colors, look.font_px, look.area, look.area.x0 + look.font_px * 0.4F,
                     look.lines);
}

}  // namespace tideline::render
