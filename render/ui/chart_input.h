// The mouse on a chart with a horizontal axis: the same for levels and memory.
#pragma once

#include "render/ui/panel.h"
#include "render/view/axis.h"

namespace tideline::ui {

/// What the mouse does to a chart in this frame.
struct ChartMouse {
  render::Rect area;
  render::Point at;
  bool is_hovered = false;
  bool was_clicked = false;  ///< pressed and let go without moving
  bool was_double_clicked = false;
  float drag_y_px = 0;  ///< moved since the last frame while panning
  float row_zoom = 1;   ///< factor, of the wheel with Ctrl
};

/// Takes all that is left of the current ImGui window, down to `height_px`, as the chart's area;
/// remembered as `name`. `axis` may need the area, so zooming and panning happen in `move_range`.
ChartMouse take_chart_area(Ui& ui, const char* name, float height_px);

/// Wheel: zoom at the mouse, Shift faster. Any button dragged: pan.
void move_range(const ChartMouse& mouse, const render::Axis& axis, int count, AxisRange& range);

}  // namespace tideline::ui
