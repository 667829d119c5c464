// The bookmarks of a chart: small numbers at its axis.
#pragma once

#include <span>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"

namespace tideline::render {

struct BookmarkMark {
  int number = 1;       ///< 1 to 9, the key that comes back there
  double position = 0;  ///< of the axis
};

/// Draws those that are on the visible part of the axis, above the edge `edge_y` of the chart or,
/// where the axis is at the top, below it. Those that would meet stand beside each other.
void draw_bookmark_marks(Canvas& canvas, const Palette& colors, const Axis& axis, float edge_y,
                         bool is_axis_at_top, float font_px, std::span<const BookmarkMark> marks);

}  // namespace tideline::render
