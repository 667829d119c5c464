#include <imgui.h>

#include "render/model/view_cache.h"
#include "render/ui/context_menu.h"
#include "render/ui/pane.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;

// A line at the top of `all`, which becomes smaller.
void top_line(Ui& ui, const char* name, render::Rect& all, void (*draw)(Ui&)) {
  const float height = ImGui::GetFrameHeight() + ui.px(8);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(4)});
  pane(name, {all.x0, all.y0, all.x1, all.y0 + height},
       ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_HorizontalScrollbar, [&] { draw(ui); });
  ImGui::PopStyleVar();
  all.y0 += height;
}

}  // namespace

void draw_window(Ui& ui) {
  ui.widgets.begin_frame();
  ui.view.hovered.reset();
  ui.view.tooltip.clear();
  ui.view.log.wanted_images.clear();
  if (ui.view.tab != Tab::kMemory) ui.view.cursor.reset();
  ui.cache.update(ui.model, ui.view);
  draw_menu_bar(ui);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float top = ImGui::GetFrameHeight();
  const float status = ImGui::GetFrameHeight() + ui.px(4);
  ImGui::SetNextWindowPos({0, top});
  ImGui::SetNextWindowSize({screen.x, screen.y - top});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec4(ui.palette().background));
  ImGui::Begin("tideline", nullptr, kFixed);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  render::Rect rest = {0, top, screen.x, screen.y - status};
  if (ui.model.lesson) {
    const float height = lesson_height(ui);
    pane("lesson", {rest.x0, rest.y0, rest.x1, rest.y0 + height}, ImGuiWindowFlags_None,
         [&] { draw_lesson(ui); });
    rest.y0 += height;
  }
  const render::Rect below_lesson = {rest.x0, rest.y0, rest.x1, screen.y};
  if (has_banner(ui)) top_line(ui, "banner", rest, draw_banner);
  if (ui.model.documents.size() > 1) top_line(ui, "documents", rest, draw_document_tabs);
  if (ui.model.scene) {
    const float height = result_strip_height(ui);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    pane("result line", {rest.x0, rest.y0, rest.x1, rest.y0 + height}, kNoScrolling,
         [&] { draw_result_strip(ui); });
    ImGui::PopStyleVar();
    rest.y0 += height;
  }
  draw_sides(ui, rest);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(2)});
  pane("status", {0, screen.y - status, screen.x, screen.y}, kNoScrolling,
       [&] { draw_status_bar(ui); });
  ImGui::PopStyleVar();
  ImGui::End();
  draw_context_menu(ui);
  draw_popups(ui);
  if (ui.model.lesson) draw_spotlight(ui, below_lesson);
}

}  // namespace tideline::ui
