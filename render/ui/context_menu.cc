#include "render/ui/context_menu.h"

#include <imgui.h>

#include <algorithm>
#include <string_view>

#include "core/base/text.h"
#include "core/rewrite/lms/scope_rules.h"
#include "core/rewrite/policy.h"
#include "render/model/hover_text.h"
#include "render/model/view_cache.h"

namespace tideline::ui {
namespace {

constexpr const char* kMenu = "context menu";

bool item(Ui& ui, const char* title, bool enabled = true) {
  return ui.widgets.menu_item(title, nullptr, false, enabled);
}

void draw_looking(Ui& ui, const std::string& tensor) {
  if (item(ui, "Select")) ui.ask("select.op", tensor);
  if (item(ui, "Fit in the view")) {
    ui.ask("select.op", tensor);
    ui.ask("view.fit-selection");
  }
}

void draw_overrides(Ui& ui, const std::string& tensor) {
  const auto row = std::find_if(ui.model.swaps.begin(), ui.model.swaps.end(),
                                [&](const SwapRow& swap) { return swap.name == tensor; });
  if (row != ui.model.swaps.end() && row->in_file) return;
  ImGui::Separator();
  if (item(ui, "Keep on device")) ui.ask("tensor.keep", tensor);
  if (item(ui, "Swap")) ui.ask("tensor.swap", tensor);
  if (item(ui, "Automatic")) ui.ask("tensor.auto", tensor);
}

void draw_rules(Ui& ui, const std::string& scope) {
  const ScopeRules rules = scope_rules(*ui.model.policy);
  if (!rules.can_be_set || scope.empty()) return;
  ImGui::Separator();
  ImGui::TextDisabled("scope %s", printable(scope, 60).c_str());
  const ScopeRule own = rules.own(scope);
  const auto rule = [&](const char* title, ScopeRule value) {
    if (ui.widgets.menu_item(title, nullptr, own == value, true))
      ui.ask("scope.set", scope, scope_rule_name(value));
  };
  rule("Scope automatic", ScopeRule::kAutomatic);
  rule("Never swap the scope", ScopeRule::kNever);
  rule("Swap only such scopes", ScopeRule::kOnly);
  if (!item(ui, "Find its ops")) return;
  ui.view.search = "scope:" + scope;
  ui.ask("search.open");
}

// Ways into it, and where it stands.
void draw_box_items(Ui& ui, const ContextMenu::Box& box) {
  if (box.path.empty()) return;
  for (const CalledFunction& function : box.functions) {
    const std::string of =
        function.attribute.empty() ? "" : printable(function.attribute, 40) + ": ";
    if (item(ui, ("Open " + of + printable(function.name, 80)).c_str()))
      ui.ask("scope.enter", box.path, function.name);
  }
  for (const std::string& loop : box.loops) {
    if (item(ui, ("Show only the loop " + printable(loop, 80)).c_str())) ui.ask("scope.loop", loop);
  }
  if (!box.is_aside && item(ui, "Move aside")) ui.ask("scope.aside", "on", box.path);
  if (box.is_aside && item(ui, "Back into the flow")) ui.ask("scope.aside", "off", box.path);
  if (box.is_by_hand && item(ui, "Place by itself")) ui.ask("scope.aside", "auto", box.path);
  ImGui::Separator();
}

void draw_items(Ui& ui, const ContextMenu& menu) {
  const Widgets::Group group = ui.widgets.group("context");
  const std::string& name = menu.tensor.empty() ? menu.scope : menu.tensor;
  ImGui::TextDisabled("%s", printable(name, 80).c_str());
  ImGui::Separator();
  draw_box_items(ui, menu.box);
  if (!menu.tensor.empty()) draw_looking(ui, menu.tensor);
  if (item(ui, "Copy name")) ImGui::SetClipboardText(name.c_str());
  if (ui.model.scene && ui.model.policy != nullptr) {
    const bool is_tensor = menu.tensor.find(':') != std::string::npos;
    if (is_tensor) draw_overrides(ui, menu.tensor);
    draw_rules(ui, menu.scope);
  }
}

}  // namespace

void open_menu(Ui& ui, const std::string& name) {
  if (!ui.model.scene) return;
  ContextMenu& menu = ui.cache.menu;
  menu = {};
  // As names are shown: the part before the last slash, of a tensor without its slot.
  const std::size_t slash = name.rfind('/');
  menu.tensor = name;
  menu.scope = slash == std::string::npos ? "" : name.substr(0, slash);
  menu.opens = true;
}

void open_menu(Ui& ui, TensorId tensor) {
  if (!ui.model.scene) return;
  const auto original = tensor_in_graph(*ui.model.scene, tensor);
  if (original) open_menu(ui, ui.model.scene->graph->tensor_name(*original));
}

void open_scope_menu(Ui& ui, const std::string& scope) {
  ui.cache.menu = {};
  ui.cache.menu.scope = scope;
  ui.cache.menu.opens = true;
}

bool was_menu_wanted() {
  return ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right);
}

void draw_context_menu(Ui& ui) {
  ContextMenu& menu = ui.cache.menu;
  if (menu.opens) ImGui::OpenPopup(kMenu);
  menu.opens = false;
  if (!ImGui::BeginPopup(kMenu)) return;
  Widgets::close_on_escape();
  draw_items(ui, menu);
  ImGui::EndPopup();
}

}  // namespace tideline::ui
