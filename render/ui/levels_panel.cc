#include <fmt/format.h>
#include <imgui.h>

#include "render/model/axis_range.h"
#include "render/model/chart_looks.h"
#include "render/model/hover_text.h"
#include "render/ui/chart_input.h"
#include "render/ui/context_menu.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"

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

}  // namespace

void draw_levels_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("levels");
  ViewState& view = ui.view;
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::LevelsLook look = levels_look(ui.model, view, ui.cache, mouse.area);
  move_range(mouse, render::levels_axis(look), look.ops->level_count, view.axis);
  look.range = {view.axis.first, view.axis.span};
  if (mouse.row_zoom != 1) zoom_rows(view, mouse.area, mouse.row_zoom, mouse.at.y);
  view.y_scroll_px -= mouse.drag_y_px;
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
  canvas.pop_clip();
}

}  // namespace tideline::ui
