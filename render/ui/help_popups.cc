#include <imgui.h>

#include "core/base/version.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

struct MouseHelp {
  const char* input;
  const char* effect;
};
constexpr MouseHelp kMouse[] = {
    {"wheel", "zoom at the mouse (Shift: faster, Ctrl: rows of the levels view)"},
    {"drag", "move the view; at the end of a swap's bar: move its swap-in"},
    {"Shift+drag", "measure levels, or a stretch of the timeline"},
    {"Ctrl+drag", "the same, and limit tables and statistics to these levels"},
    {"click", "select an op, a tensor or a swap; in the memory view also pin the place"},
    {"right click", "the menu of an op, a bar, a row or a scope"},
    {"double click", "zoom to what is under the mouse"},
    {"Ctrl+click on a slider", "type its value: 168 MiB, 60 %"},
};

}  // namespace

void draw_key_sheet(Ui& ui) {
  PopupWindow window(ui, "Keys", 720, 560);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("keys");
  if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY)) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, ui.px(210));
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
    const auto row = [](const char* left, const char* right) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(left);
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(right);
      ImGui::PopTextWrapPos();
    };
    for (const ActionInfo& action : ui.model.actions) {
      if (!action.keys.empty()) row(action.keys.c_str(), action.title.c_str());
    }
    for (const MouseHelp& help : kMouse) row(help.input, help.effect);
    ImGui::EndTable();
    ui.widgets.remember("sheet");
  }
}

void draw_messages(Ui& ui) {
  PopupWindow window(ui, "Messages", 720, 420);
  if (!window.is_open()) return;
  if (ui.model.messages.empty()) dim_text(ui, "Nothing was said so far.");
  for (auto message = ui.model.messages.rbegin(); message != ui.model.messages.rend(); ++message) {
    colored_text(message->kind == MessageKind::kError     ? ui.palette().error
                 : message->kind == MessageKind::kWarning ? ui.palette().budget
                                                          : ui.palette().text,
                 message->text);
    ImGui::Separator();
  }
}

void draw_about(Ui& ui) {
  PopupWindow window(ui, "About Tideline", 460, 200);
  if (!window.is_open()) return;
  ImGui::Text("Tideline %s", kVersion);
  dim_text(ui,
           "Large-model support for TensorFlow graphs: see where the memory of a training step "
           "goes, and write the graph that fits.");
}

}  // namespace tideline::ui
