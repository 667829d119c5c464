// A part of the window: a child window of Dear ImGui in a place of its own.
#pragma once

#include <imgui.h>

#include "render/view/canvas.h"

namespace tideline::ui {

inline constexpr ImGuiWindowFlags kNoScrolling =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Calls `draw` inside of it, unless it is too small to be seen.
template <typename Draw>
void pane(const char* name, render::Rect rect, ImGuiWindowFlags flags, const Draw& draw) {
  if (rect.width() < 2 || rect.height() < 2) return;
  ImGui::SetCursorScreenPos({rect.x0, rect.y0});
  const bool seen = ImGui::BeginChild(name, {rect.width(), rect.height()}, false,
                                      flags | ImGuiWindowFlags_AlwaysUseWindowPadding);
  if (seen) draw();
  ImGui::EndChild();
}

}  // namespace tideline::ui
