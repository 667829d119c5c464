#include "render/ui/chart_input.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "render/model/axis_range.h"
#include "render/model/levels_limit.h"

namespace tideline::ui {
namespace {

constexpr double kZoomAStep = 1.25;
constexpr double kFastZoomAStep = 2;

bool is_panning() {
  return ImGui::IsMouseDragging(ImGuiMouseButton_Left) ||
         ImGui::IsMouseDragging(ImGuiMouseButton_Right) ||
         ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
}

}  // namespace

ChartMouse take_chart_area(Ui& ui, const char* name, float height_px) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 size = {std::max(ImGui::GetContentRegionAvail().x, 8.0F), std::max(height_px, 8.0F)};
  ImGui::InvisibleButton(name, size,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                             ImGuiButtonFlags_MouseButtonMiddle);
  ui.widgets.remember(name);
  const ImGuiIO& io = ImGui::GetIO();
  ChartMouse mouse;
  mouse.area = {from.x, from.y, from.x + size.x, from.y + size.y};
  mouse.at = {io.MousePos.x, io.MousePos.y};
  mouse.is_hovered = ImGui::IsItemHovered();
  const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
  const bool stood_still = moved.x == 0 && moved.y == 0;
  mouse.was_clicked = ImGui::IsItemDeactivated() && mouse.is_hovered && stood_still &&
                      ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  const ImVec2 moved_right = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right, 0);
  mouse.wants_menu = mouse.is_hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Right) &&
                     moved_right.x == 0 && moved_right.y == 0;
  mouse.was_double_clicked = mouse.is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (ImGui::IsItemActive() && is_panning()) {
    mouse.drag_y_px = io.MouseDelta.y;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  }
  if (mouse.is_hovered && io.KeyCtrl && io.MouseWheel != 0)
    mouse.row_zoom = static_cast<float>(std::pow(kZoomAStep, io.MouseWheel));
  return mouse;
}

bool take_levels(Ui& ui, const render::Axis& axis, int count, const render::MemoryLayout* memory) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool is_held = io.KeyShift || io.KeyCtrl;
  if (!ImGui::IsItemActive() || !is_held || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    return false;
  }
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left) || count == 0) return true;
  const double a = axis.position(io.MouseClickedPos[ImGuiMouseButton_Left].x);
  const double b = axis.position(io.MousePos.x);
  if (memory != nullptr) {
    // Where no op runs there are no levels: what was chosen stays.
    if (const auto levels = levels_between(*ui.model.scene, *memory, a, b, io.KeyCtrl)) {
      ui.view.levels = levels;
    }
    return true;
  }
  const auto level = [&](double at) {
    return static_cast<std::int32_t>(std::clamp(std::floor(at), 0.0, count - 1.0));
  };
  ui.view.levels = LevelStretch{level(std::min(a, b)), level(std::max(a, b)), io.KeyCtrl};
  return true;
}

void draw_levels_stretch(render::Canvas& canvas, const Ui& ui, const render::Axis& axis,
                         render::Rect area, bool has_text, const render::MemoryLayout* memory) {
  const auto look = stretch_look(ui.model, ui.view, memory, axis, area, has_text);
  if (look) render::draw_level_stretch(canvas, *look);
}

void move_range(const ChartMouse& mouse, const render::Axis& axis, int count, AxisRange& range) {
  const ImGuiIO& io = ImGui::GetIO();
  if (mouse.is_hovered && !io.KeyCtrl && io.MouseWheel != 0) {
    const double step = io.KeyShift ? kFastZoomAStep : kZoomAStep;
    range = zoomed(range, count, std::pow(step, io.MouseWheel), axis.position(mouse.at.x));
  }
  if (mouse.is_hovered && io.MouseWheelH != 0)
    range = panned(range, count, -io.MouseWheelH * axis.span * 0.1);
  if (ImGui::IsItemActive() && is_panning() && io.MouseDelta.x != 0)
    range = panned(range, count, -static_cast<double>(io.MouseDelta.x) / axis.px_per_unit());
}

}  // namespace tideline::ui
