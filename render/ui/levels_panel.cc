#include <fmt/format.h>
#include <imgui.h>

#include "core/rewrite/lms/own_ahead_at.h"
#include "render/model/axis_range.h"
#include "render/model/chart_looks.h"
#include "render/model/hover_text.h"
#include "render/ui/chart_input.h"
#include "render/ui/context_menu.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/view/bar_end.h"

namespace tideline::ui {
namespace {

void select(Ui& ui, const render::Scene& scene, const render::Hit& hit) {
  if (!hit.tensor || hit.tensor->op.index() >= scene.graph->op_count()) {
    ui.ask("select.clear");
  } else {
    ui.ask("select.op", scene.graph->tensor_name(*hit.tensor));
  }
}

void use_mouse(Ui& ui, const ChartMouse& mouse, const render::LevelsLook& look) {
  const render::Scene& scene = *look.scene;
  const render::Hit hit = render::hit_levels(look, mouse.at);
  ui.view.cursor = hit.level;
  ui.view.hovered = hit.tensor;
  ui.view.tooltip = fmt::format("{}", fmt::join(hover_lines(look, hit), "\n"));
  if (hit.kind == render::HitKind::kShare) ui.view.tooltip += kSortHint;
  if (hit.kind == render::HitKind::kSwap && render::bar_end_at(look, mouse.at)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ui.view.tooltip += "\nDrag this end: the tensor comes back earlier or later";
  }
  if (!ui.view.tooltip.empty() && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
    ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
  if (mouse.was_clicked && hit.kind == render::HitKind::kShare) {
    sort_by_lateness(ui);
  } else if (mouse.was_clicked) {
    select(ui, scene, hit);
  }
  if (mouse.wants_menu && hit.tensor) open_menu(ui, *hit.tensor);
  if (mouse.was_double_clicked) {
    if (hit.tensor) {
      ui.ask("view.fit-selection");
    } else if (hit.level) {
      ui.view.axis = zoomed(ui.view.axis, look.ops->level_count, 4, *hit.level);
    }
  }
}

// The distance that the tensor gets when the end is let go.
int dragged_ahead(const render::Scene& scene, const render::SwapSpan& span, std::int32_t level) {
  return scene.plan == nullptr ? 0 : own_ahead_at(*scene.plan, *scene.levels, span.consumer, level);
}

// Lets the mouse move the end of a bar. Returns whether it holds one.
bool move_bar_end(Ui& ui, const ChartMouse& mouse, const render::LevelsLook& look) {
  std::optional<BarDrag>& drag = ui.view.bar_drag;
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    if (const auto end = render::bar_end_at(look, mouse.at)) {
      const render::SwapSpan& span = look.swaps->spans[end->span];
      drag = BarDrag{span.tensor, span.swap_in, span.in_level};
    }
  }
  if (!drag) return false;
  const auto end = render::bar_end_of(look, drag->tensor, drag->swap_in);
  if (!end) {  // another plan came meanwhile
    drag.reset();
    return false;
  }
  const render::SwapSpan& span = look.swaps->spans[end->span];
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) drag->is_taken_back = true;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    drag->level = end->nearest(render::levels_axis(look).position(mouse.at.x));
  }
  if (ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    return true;
  }
  const bool is_moved = !drag->is_taken_back && drag->level != span.in_level;
  const int ahead = dragged_ahead(*look.scene, span, drag->level);
  if (is_moved && ahead > 0)
    ui.ask("tensor.ahead", look.scene->graph->tensor_name(span.tensor), std::to_string(ahead));
  drag.reset();
  return true;
}

void draw_bar_drag(render::Canvas& canvas, const Ui& ui, const render::LevelsLook& look) {
  const std::optional<BarDrag>& drag = ui.view.bar_drag;
  if (!drag || drag->is_taken_back) return;
  const auto end = render::bar_end_of(look, drag->tensor, drag->swap_in);
  if (!end) return;
  const int ahead = dragged_ahead(*look.scene, look.swaps->spans[end->span], drag->level);
  render::draw_moved_end(canvas, look, *end, drag->level,
                         fmt::format("in at level {}, {} ahead", drag->level, ahead));
}

}  // namespace

void draw_levels_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("levels");
  ViewState& view = ui.view;
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::LevelsLook look = levels_look(ui.model, view, ui.cache, mouse.area);
  const render::Axis axis = render::levels_axis(look);
  const bool is_choosing = !view.bar_drag && take_levels(ui, axis, look.ops->level_count);
  if (!is_choosing && !move_bar_end(ui, mouse, look)) {
    move_range(mouse, axis, look.ops->level_count, view.axis);
    view.y_scroll_px -= mouse.drag_y_px;
  }
  look.range = {view.axis.first, view.axis.span};
  if (mouse.row_zoom != 1) zoom_rows(view, mouse.area, mouse.row_zoom, mouse.at.y);
  limit_rows(view, look);
  if (mouse.is_hovered) {
    use_mouse(ui, mouse, look);
    look.hovered = view.hovered;
    look.cursor = view.cursor;
  }
  if (!look.hovered && ui.model.lesson && ui.model.lesson->op)
    look.hovered = TensorId{*ui.model.lesson->op, 0};
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  canvas.push_clip(mouse.area);
  render::draw_levels(canvas, look);
  draw_levels_stretch(canvas, ui, render::levels_axis(look), mouse.area, /*has_text=*/true);
  draw_bar_drag(canvas, ui, look);
  canvas.pop_clip();
}

}  // namespace tideline::ui
