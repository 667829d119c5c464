// The scopes view: a drag with Shift or Ctrl chooses levels by a rectangle; a double click opens
// and closes a box, or goes into the function or loop of an op; a click marks it.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "render/model/scopes_look.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_input.h"
#include "render/ui/context_menu.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/view/scopes_loop.h"

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

// A drag with Shift measures the levels of the boxes in a rectangle, one with Ctrl limits tables
// and statistics to them. Returns whether the drag is one of these.
bool take_band(Ui& ui, render::ScopesLook& look) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool is_held = io.KeyShift || io.KeyCtrl;
  if (!ImGui::IsItemActive() || !is_held || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    return false;
  }
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left)) return true;
  const ImVec2 from = io.MouseClickedPos[ImGuiMouseButton_Left];
  look.band = render::Rect{std::min(from.x, io.MousePos.x), std::min(from.y, io.MousePos.y),
                           std::max(from.x, io.MousePos.x), std::max(from.y, io.MousePos.y)};
  // Where there are no boxes what was chosen stays.
  if (const auto levels = render::levels_in(look, *look.band)) {
    ui.view.levels = LevelStretch{levels->from, levels->to, io.KeyCtrl};
  }
  return true;
}

ContextMenu::Box menu_box(const Ui& ui, const render::ScopesLook& look, std::uint32_t placed) {
  const render::ScopeBox& box = look.boxes->boxes[look.layout->placed[placed].box];
  ContextMenu::Box menu;
  menu.path = std::string(look.boxes->path(*look.scene, box));
  menu.is_aside = look.layout->placed[placed].is_aside;
  menu.is_by_hand = ui.view.boxes.aside.contains(menu.path);
  if (box.can_open()) {
    menu.loops = render::loops_to_enter(*look.scene, ui.view.boxes.loop, look.boxes->ops_of(box));
    return menu;
  }
  const OpId op{box.name};
  const std::string loop = render::loop_to_enter(*look.scene, ui.view.boxes.loop, op);
  if (!loop.empty()) menu.loops = {loop};
  menu.functions = render::functions_to_enter(*look.scene, op);
  return menu;
}

// A double click on an op goes into what it stands for; if that may be several functions, they are
// offered. Of a loop only its own ops lead into it: those of its body are looked at.
void enter_op(Ui& ui, const render::ScopesLook& look, std::uint32_t placed) {
  const ContextMenu::Box box = menu_box(ui, look, placed);
  const OpId op{look.boxes->boxes[look.layout->placed[placed].box].name};
  if (box.functions.size() > 1) {
    open_menu(ui, box.path);
    ui.cache.menu.box = box;
  } else if (!box.functions.empty() ||
             (!box.loops.empty() && render::is_loop_op(*look.scene, op))) {
    ui.ask("scope.enter", box.path);
  } else {
    ui.ask("view.fit-selection");
  }
}

void take_clicks(Ui& ui, const ChartMouse& mouse, const render::ScopesLook& look,
                 const render::ScopesHit& hit) {
  const std::string path = hit_path(look, hit), op = hit_op(look, hit);
  if (mouse.was_double_clicked) {
    if (!path.empty()) ui.ask("scope.toggle", path);
    if (!op.empty()) enter_op(ui, look, hit.placed);
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
  if (mouse.wants_menu && hit.placed != 0) ui.cache.menu.box = menu_box(ui, look, hit.placed);
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
  if (!take_band(ui, look)) move_camera(ui, mouse, look);
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
