#include <imgui.h>

#include "core/base/text.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"

namespace tideline::ui {

void draw_quit_question(Ui& ui) {
  PopupWindow window(ui, "Quit", 480, 260);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("quit");
  ImGui::TextUnformatted("These documents have unwritten changes:");
  for (const DocumentInfo& document : ui.model.documents) {
    if (document.is_unwritten) ImGui::BulletText("%s", printable(document.path, 200).c_str());
  }
  dim_text(ui, "The commands that write them are saved and offered at the next start.");
  ImGui::Spacing();
  if (ui.widgets.button("Quit")) {
    ui.ask("file.quit", "now");
    window.close();
  }
  ImGui::SameLine();
  if (ui.widgets.button("Cancel")) window.close();
}

}  // namespace tideline::ui
