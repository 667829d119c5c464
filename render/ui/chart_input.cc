#include "render/ui/chart_input.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "render/model/axis_range.h"

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
