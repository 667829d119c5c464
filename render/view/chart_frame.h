// The frame of a chart of logged values: title, note, grid and numbers of both axes.
#pragma once

#include <string_view>

#include "render/view/canvas.h"
#include "render/view/number_axis.h"
#include "render/view/palette.h"

namespace tideline::render {

/// A size and the axes in it, with (0, 0) at the left upper corner; independent of where it stands,
/// so that it can be kept while the user scrolls.
struct ChartFrame {
  float width_px = 0, height_px = 0, font_px = 0;
  Rect plot;  ///< inside the axes
  NumberAxis x, y;
  NumberKind x_kind = NumberKind::kPlain;
};
/// A frame of this size; the axes are left for the caller.
[[nodiscard]] ChartFrame make_chart_frame(float width_px, float height_px, float font_px);
/// Height of the numbers at the axes.
[[nodiscard]] float small_font_px(float font_px);

[[nodiscard]] inline Point moved(Point point, Point by) {
  return {point.x + by.x, point.y + by.y};
}
[[nodiscard]] inline Rect moved(Rect rect, Point by) {
  return {rect.x0 + by.x, rect.y0 + by.y, rect.x1 + by.x, rect.y1 + by.y};
}

/// Draws the frame with its left upper corner at `at`: `title` above it, `note`, if there is one,
/// to its right in the palette's colour for warnings, or dim. Cost: O(ticks).
void draw_chart_frame(Canvas& canvas, const Palette& palette, const ChartFrame& frame, Point at,
                      std::string_view title, std::string_view note, bool is_warning);

}  // namespace tideline::render
