// The scopes view: a double click opens and closes a box, a click marks it.
#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "render/model/scopes_look.h"
#include "render/ui/chart_input.h"
#include "render/ui/context_menu.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostRemembered = 200;

void move_camera(Ui& ui, const ChartMouse& mouse, render::ScopesLook& look) {
  const ImGuiIO& io = ImGui::GetIO();
  if (mouse.is_hovered && io.MouseWheel != 0) {
    const double step = io.KeyShift ? 2 : io.KeyCtrl ? 1.05 : 1.25;
    look.camera = render::zoomed_at(look, std::pow(step, io.MouseWheel), mouse.at);
    set_camera(ui.view, look.camera);
  }
  const bool is_panning =
      ImGui::IsItemActive() && (ImGui::IsMouseDragging(ImGuiMouseButton_Left) ||
                                ImGui::IsMouseDragging(ImGuiMouseButton_Right) ||
                                ImGui::IsMouseDragging(ImGuiMouseButton_Middle));
  if (is_panning && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    look.camera = render::moved_by(look, io.MouseDelta.x, io.MouseDelta.y);
    set_camera(ui.view, look.camera);
  }
}

void take_clicks(Ui& ui, const ChartMouse& mouse, const render::ScopesLook& look,
                 const render::ScopesHit& hit) {
  const std::string path = hit_path(look, hit), op = hit_op(look, hit);
  if (mouse.was_double_clicked) {
    if (!path.empty()) ui.ask("scope.toggle", path);
    if (!op.empty()) ui.ask("view.fit-selection");
  } else if (mouse.was_clicked &&
             ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] == 1) {
    if (!op.empty()) {
      ui.ask("select.op", op);
    } else if (!path.empty()) {
      ui.ask("scope.pick", path);
    } else {
      ui.ask("select.clear");
    }
  }
  if (mouse.wants_menu && !op.empty()) open_menu(ui, op);
  if (mouse.wants_menu && !path.empty()) open_scope_menu(ui, path);
}

// Where tests and lessons find the boxes.
void remember_boxes(Ui& ui, const render::ScopesLook& look) {
  const std::vector<render::Rect> rects = render::box_rects(look);
  std::size_t remembered = 0;
  for (std::uint32_t i = 1; i < rects.size() && remembered < kMostRemembered; ++i) {
    const render::Rect& rect = rects[i];
    const render::Point head = {(rect.x0 + rect.x1) / 2,
                                rect.y0 + std::min(rect.height() / 2, 8.0F)};
    if (!look.area.contains(head)) continue;
    const render::ScopeBox& box = look.boxes->boxes[look.layout->placed[i].box];
    ui.widgets.remember(fmt::format("box {}", look.boxes->path(*look.scene, box)),
                        render::Rect{head.x - 2, head.y - 2, head.x + 2, head.y + 2});
    ++remembered;
  }
}

}  // namespace

void draw_boxes_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("boxes");
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::ScopesLook look = scopes_look(ui.model, ui.view, ui.cache, mouse.area);
  move_camera(ui, mouse, look);
  render::ScopesHit hit;
  if (mouse.is_hovered) {
    hit = render::hit_scopes(look, mouse.at);
    look.hovered = hit.placed;
    take_clicks(ui, mouse, look, hit);
  }
  remember_boxes(ui, look);
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  render::draw_scopes(canvas, look);
  if (!mouse.is_hovered || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  ui.view.tooltip = fmt::format("{}", fmt::join(render::hit_lines(look, hit), "\n"));
  if (!ui.view.tooltip.empty()) ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
}

}  // namespace tideline::ui
