#include <imgui.h>

#include "core/base/text.h"
#include "render/model/result_lines.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

void draw_job(Ui& ui) {
  const JobStatus& job = *ui.model.job;
  ImGui::TextUnformatted(printable(job.title, 400).c_str());
  ImGui::SameLine();
  if (job.done_0_1 >= 0) {
    ImGui::ProgressBar(static_cast<float>(job.done_0_1), {ui.px(120), ImGui::GetFontSize()},
                       job.stage.c_str());
  } else {
    ImGui::TextDisabled("%s ...", job.stage.c_str());
  }
  ImGui::SameLine();
  if (ui.widgets.button("Cancel")) ui.ask("job.cancel");
  ImGui::SameLine();
}

}  // namespace

void draw_status_bar(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("status");
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(open_state_text(ui.model).c_str());
  ImGui::SameLine(0, ui.px(24));
  if (!ui.model.undo_title.empty()) {
    ImGui::TextDisabled("undo: %s", ui.model.undo_title.c_str());
    ImGui::SameLine(0, ui.px(24));
  }
  if (ui.model.job) draw_job(ui);
  if (!ui.model.messages.empty()) {
    const Message& last = ui.model.messages.back();
    const render::Color color = last.kind == MessageKind::kError     ? ui.palette().error
                                : last.kind == MessageKind::kWarning ? ui.palette().budget
                                                                     : ui.palette().dim_text;
    // One line, cut at the edge; all of it is in the list that a click opens.
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
    const std::string text = last.text.substr(0, last.text.find('\n')) + "##message";
    if (ImGui::Selectable(text.c_str(), false)) ui.view.popup = Popup::kMessages;
    ImGui::PopStyleColor();
    ui.widgets.remember("messages");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", last.text.c_str());
  } else {
    ImGui::NewLine();
  }
}

}  // namespace tideline::ui
