// Mouse input of the charts with a horizontal axis: levels and memory.
#pragma once

#include "render/ui/panel.h"
#include "render/view/axis.h"

namespace tideline::ui {

/// The mouse on a chart in the current frame.
struct ChartMouse {
  render::Rect area;
  render::Point at;
  bool is_hovered = false;
  bool was_clicked = false;  ///< pressed and released without moving
  bool was_double_clicked = false;
  bool wants_menu = false;  ///< the right button was pressed and released without moving
  float drag_y_px = 0;      ///< vertical panning since the last frame
  float row_zoom = 1;       ///< zoom factor from Ctrl and the wheel
};

/// Takes the rest of the current ImGui window, at most `height_px` high, as the area of the chart,
/// and remembers it as `name`. Zooming and panning are left to `move_range`, because the axis may
/// depend on the area.
ChartMouse take_chart_area(Ui& ui, const char* name, float height_px);

/// A drag with Shift measures levels, one with Ctrl limits tables and statistics to them. Returns
/// whether the drag is one of these. `axis` has `count` positions: those of `memory`, or levels for
/// null.
bool take_levels(Ui& ui, const render::Axis& axis, int count,
                 const render::MemoryLayout* memory = nullptr);
/// Draws the stretch that was measured last; with `has_text` what happens in it, too.
void draw_levels_stretch(render::Canvas& canvas, const Ui& ui, const render::Axis& axis,
                         render::Rect area, bool has_text,
                         const render::MemoryLayout* memory = nullptr);

/// Zooms at the mouse with the wheel, faster with Shift; pans by dragging with any button.
void move_range(const ChartMouse& mouse, const render::Axis& axis, int count, AxisRange& range);

}  // namespace tideline::ui
