// Tested by unit/view/level_stretch_test.cc.
#include "render/view/bookmark_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tideline::render {

void draw_bookmark_marks(Canvas& canvas, const Palette& colors, const Axis& axis, float edge_y,
                         bool is_axis_at_top, float font_px, std::span<const BookmarkMark> marks) {
  std::vector<BookmarkMark> sorted(marks.begin(), marks.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const BookmarkMark& a, const BookmarkMark& b) {
    return a.position < b.position;
  });
  const float size = font_px * 0.8F;
  const float width = size * 1.1F, height = size * 1.15F;
  const float tip = size * 0.35F;
  const float base = is_axis_at_top ? edge_y + tip : edge_y - tip;
  const Rect area = {axis.x0 - width, std::min(base, edge_y) - height - tip, axis.x1 + width,
                     std::max(base, edge_y) + height + tip};
  // Within two clips: so fronts know what moves with the axis.
  canvas.push_clip(area);
  canvas.push_clip(area);
  float free_from = area.x0 - width;
  for (const BookmarkMark& mark : sorted) {
    const float x = axis.x(mark.position);
    if (!std::isfinite(x) || x < axis.x0 || x > axis.x1) continue;
    const float left = std::max(x - width / 2, free_from);
    free_from = left + width + 1;
    const float top = is_axis_at_top ? base : base - height;
    const Color ink =
        contrast(colors.accent, colors.background) > contrast(colors.accent, colors.text)
            ? colors.background
            : colors.text;
    canvas.line({x, edge_y}, {left + width / 2, base}, colors.accent, 2);
    canvas.fill({left, top, left + width, top + height}, colors.accent, 2);
    canvas.text({left + width / 2, top + (height - size) / 2}, fmt::format("{}", mark.number), ink,
                size, Align::kCenter);
  }
  canvas.pop_clip();
  canvas.pop_clip();
}

}  // namespace tideline::render
