#include <imgui.h>

#include "core/base/text.h"
#include "render/ui/panels.h"

namespace tideline::ui {

bool has_banner(const Ui& ui) {
  return !ui.model.unwritten_before.empty();
}

void draw_banner(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("unwritten");
  const std::string& script = ui.model.unwritten_before.front();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("An earlier window left unwritten policies.");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(script, 1000).c_str());
  ImGui::SameLine();
  if (ui.widgets.button("Restore")) ui.ask("file.restore", script);
  ui.widgets.hint("Open the graphs again with these policies");
  ImGui::SameLine();
  if (ui.widgets.button("Dismiss")) ui.ask("file.forget-unwritten");
  ui.widgets.hint("The script that writes them stays: sh " + printable(script, 1000));
}

}  // namespace tideline::ui
