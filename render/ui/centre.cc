// The centre of the window: its toolbar, the view that is chosen, and what stands below it.
#include <fmt/format.h>
#include <imgui.h>

#include <string>

#include "render/model/result_lines.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/plan_pane.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

// The same over a canvas, whose colours are its own.
void veil(const Ui& ui, render::Rect rect) {
  if (ui.model.policy_error.empty()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec4 pale = to_vec4(ui.palette().background);
  pale.w = 1 - kPale;
  list->AddRectFilled({rect.x0, rect.y0}, {rect.x1, rect.y1}, ImGui::ColorConvertFloat4ToU32(pale));
  const std::string text = fitted_end(std::string(kOutdatedPlan), rect.width() - 2 * ui.px(4));
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  list->AddText({(rect.x0 + rect.x1 - width) / 2, rect.y0 + ui.px(4)}, to_u32(ui.palette().error),
                text.c_str());
}

void (*panel_of(LogPage page))(Ui&) {
  switch (page) {
    case LogPage::kScalars: return draw_scalars_panel;
    case LogPage::kHistograms:
    case LogPage::kDistributions: return draw_histograms_panel;
    case LogPage::kImages: return draw_images_panel;
    case LogPage::kText: return draw_texts_panel;
    case LogPage::kHparams: return draw_hparams_panel;
    case LogPage::kGraphs: break;
  }
  return draw_log_panel;
}

// A view without a panel of its own is drawn as in a picture.
void draw_view_panel(Ui& ui, render::Rect area) {
  const render::View& view = view_of(ui.view.tab);
  if (view.needs_trace && ui.model.scene->measured == nullptr) {
    ImGui::TextWrapped("%s is of a traced step (File, Open a traced step).",
                       std::string(view.title).c_str());
    return;
  }
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  view.draw(canvas, {&*ui.model.scene, ui.view.theme, area, ui.view.font_px * ui.view.scale});
}

}  // namespace

void draw_centre(Ui& ui, render::Rect rect) {
  const bool is_levels = ui.view.tab == Tab::kLevels;
  const bool is_timeline = ui.view.tab == Tab::kTimeline;
  const bool has_panel = is_levels || is_timeline || ui.view.tab == Tab::kMemory;
  const float bar = toolbar_height(ui);
  pane("toolbar", {rect.x0, rect.y0, rect.x1, rect.y0 + bar}, kNoScrolling,
       [&] { draw_toolbar(ui); });
  rect.y0 += bar;
  if (!ui.model.scene) {
    const auto draw = ui.model.log          ? panel_of(ui.view.log.page)
                      : ui.model.checkpoint ? draw_checkpoint_panel
                                            : draw_welcome_panel;
    // Each page scrolls by itself.
    const std::string name =
        ui.model.log ? fmt::format("log {}", static_cast<int>(ui.view.log.page)) : "welcome";
    pane(name.c_str(), rect, ImGuiWindowFlags_None, [&] { draw(ui); });
    return;
  }
  if (ui.view.tab == Tab::kFit) {  // of the step without a policy
    return pane("fit", rect, ImGuiWindowFlags_None, [&] { draw_fit_panel(ui); });
  }
  const float gap = ui.px(kSplitterPx);
  const bool has_bottom = ui.view.show_bottom && has_panel;
  const float below = has_bottom ? ui.view.bottom_share * rect.height() : 0;
  const float split = rect.y1 - below;
  const render::Rect upper = {rect.x0, rect.y0, rect.x1, has_bottom ? split - gap : rect.y1};
  if (has_bottom)
    share_splitter(ui, "splitter bottom", {rect.x0, split - gap, rect.x1, split}, rect.height(),
                   &ui.view.bottom_share, -1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  const render::Rect lower = {rect.x0, split, rect.x1, rect.y1};
  pane("upper", upper, kNoScrolling, [&] {
    if (is_timeline) return draw_timeline_panel(ui);  // of what ran, whatever the policy
    if (ui.view.tab == Tab::kTried) {
      draw_tried_panel(ui);
    } else if (ui.view.tab == Tab::kScopes) {
      draw_boxes_panel(ui);
    } else if (ui.view.tab == Tab::kDiff) {
      draw_diff_panel(ui);
    } else if (!has_panel) {
      draw_view_panel(ui, upper);
    } else {
      is_levels ? draw_levels_panel(ui) : draw_memory_panel(ui);
    }
    if (ui.view.tab != Tab::kTried && ui.view.tab != Tab::kDiff)
      veil(ui, upper);  // which is about the current policy
  });
  if (has_bottom && is_levels) {
    pane("lower", lower, kNoScrolling, [&] {
      draw_memory_panel(ui);
      veil(ui, lower);
    });
  }
  ImGui::PopStyleVar();
  if (has_bottom && is_timeline)
    pane("statistics", lower, kNoScrolling, [&] { draw_timeline_statistics(ui); });
  if (has_bottom && !is_levels && !is_timeline)
    plan_pane(ui, "live", lower, kNoScrolling, [&] { draw_live_panel(ui); });
}

}  // namespace tideline::ui
