#include <imgui.h>

#include <vector>

#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

// Menus in the order in which the table names them first.
std::vector<const std::string*> menus_of(const UiModel& model) {
  std::vector<const std::string*> menus;
  for (const ActionInfo& action : model.actions) {
    if (action.menu.empty()) continue;
    bool is_new = true;
    for (const std::string* menu : menus) is_new = is_new && *menu != action.menu;
    if (is_new) menus.push_back(&action.menu);
  }
  return menus;
}

void draw_entries(Ui& ui, const std::string& menu) {
  const Widgets::Group group = ui.widgets.group(menu);
  for (const ActionInfo& action : ui.model.actions) {
    if (action.menu != menu) continue;
    const std::string keys = action.keys.substr(0, action.keys.find(' '));
    if (ui.widgets.menu_item(action.title.c_str(), keys.c_str(), action.checked, action.enabled))
      ui.ask(action.id);
  }
}

void draw_menus(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("menu");
  for (const std::string* menu : menus_of(ui.model)) {
    const bool open = ImGui::BeginMenu(menu->c_str());
    ui.widgets.remember(*menu);
    if (!open) continue;
    Widgets::close_on_escape();
    draw_entries(ui, *menu);
    ImGui::EndMenu();
  }
}

}  // namespace

void draw_menu_bar(Ui& ui) {
  if (!ImGui::BeginMainMenuBar()) return;
  draw_menus(ui);
  const char* hint = "Ctrl+P  go to op / run command    F1  keys";
  const float width = ImGui::CalcTextSize(hint).x + ui.px(16);
  if (ImGui::GetContentRegionAvail().x > width) {
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - width);
    ImGui::TextDisabled("%s", hint);
  }
  ImGui::EndMainMenuBar();
}

}  // namespace tideline::ui
