#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {

void draw_welcome_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("welcome");
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::min(room.x, ui.px(560));
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + std::max(0.0F, (room.x - width) / 2),
                       ImGui::GetCursorPosY() + room.y * 0.25F});
  ImGui::BeginChild("welcome", {width, 0}, false);
  if (ui.model.job) {
    ImGui::TextUnformatted(printable(ui.model.job->title, 400).c_str());
    dim_text(ui, ui.model.job->stage);
    ImGui::EndChild();
    return;
  }
  ImGui::PushFont(ui.fonts.large);
  ImGui::TextUnformatted("Open a graph");
  ImGui::PopFont();
  ImGui::Spacing();
  colored_text(ui.palette().text, "Drop a file here, press Ctrl+O, or start with: tideline FILE");
  dim_text(ui,
           ui.model.graph_formats +
               ", SavedModel (its folder), event file or log folder of TensorBoard; the type is "
               "found from the content.");
  ImGui::Spacing();
  if (ui.widgets.button("Open the sample")) ui.ask("file.open-sample");
  ImGui::SameLine();
  if (ui.widgets.button("Open...")) ui.ask("file.open-dialog");
  ImGui::SameLine();
  if (ui.widgets.button("Log...")) ui.ask("log.open-dialog");
  ImGui::SameLine();
  if (ui.widgets.button("Checkpoint...")) ui.ask("checkpoint.open-dialog");
  if (!ui.model.recent_files.empty()) {
    ImGui::Spacing();
    dim_text(ui, "Recent");
    const Widgets::Group recent = ui.widgets.group("recent");
    for (const std::string& path : ui.model.recent_files) {
      if (ui.widgets.link(printable(path, 400).c_str())) ui.ask("file.open", path);
    }
  }
  ImGui::EndChild();
}

}  // namespace tideline::ui
