// Tested by gui/lesson_test.cc.
#include "app/gui/widget_labels.h"

#include <imgui.h>

#include "app/actions/ui_model.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_context.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::gui {

std::vector<std::string> widget_labels(app::Viewer& viewer) {
  // Tables and scrolling children know their sizes after two frames; one more to be sure.
  constexpr int kFramesToSettle = 4;
  const ui::ImGuiScope scope;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {1280, 720};
  io.DeltaTime = 1.0F / 60;
  const ui::Fonts fonts =
      ui::load_chosen_fonts(*io.Fonts, viewer.view.font_px, viewer.view.font_file);
  unsigned char* pixels = nullptr;
  io.Fonts->GetTexDataAsAlpha8(&pixels, nullptr, nullptr);
  ui::ViewCache cache;
  ui::Widgets widgets;
  ui::Intents ignored;
  for (int i = 0; i < kFramesToSettle; ++i) {
    const ui::UiModel& model = app::make_ui_model(viewer);
    ImGui::NewFrame();
    ui::apply_theme(viewer.view.theme, viewer.view.scale);
    ui::Ui ui = {model, viewer.view, widgets, ignored, fonts, cache};
    ui::draw_window(ui);
    ImGui::Render();
  }
  std::vector<std::string> labels;
  for (const ui::Item& item : widgets.items()) labels.push_back(item.label);
  return labels;
}

}  // namespace tideline::gui
