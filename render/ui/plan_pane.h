// Parts of the window that show a plan, and bars between parts.
#pragma once

#include "render/ui/pane.h"
#include "render/ui/panel.h"

namespace tideline::ui {

inline constexpr float kSplitterPx = 5;

// While there is no plan for the policy, what is shown belongs to an earlier one: it is drawn pale
// and says so.
inline constexpr float kPale = 0.45F;
template <typename Draw>
void plan_pane(Ui& ui, const char* name, render::Rect rect, ImGuiWindowFlags flags,
               const Draw& draw) {
  const bool is_outdated = !ui.model.policy_error.empty();
  pane(name, rect, flags, [&] {
    if (is_outdated) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, kPale);
    draw();
    if (is_outdated) ImGui::PopStyleVar();
  });
}

/// A bar between two parts; the share of `total_px` that one of them has is dragged in pixels.
inline void share_splitter(Ui& ui, const char* name, render::Rect rect, float total_px,
                           float* share, float direction) {
  float px = *share * total_px;
  if (ui.widgets.splitter(name, false, rect, &px, direction, 0.12F * total_px, 0.8F * total_px)) {
    *share = px / total_px;
  }
}

}  // namespace tideline::ui
