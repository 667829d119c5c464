#include <imgui.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"
#include "render/model/result_lines.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

// What is left of the line, but for what has to stand behind it.
float room_before(float behind_px) {
  return std::max(0.0F, ImGui::GetContentRegionAvail().x - behind_px);
}

// The next part of the line, cut at its end; nothing where no letters of it fit.
void draw_part(const std::string& text, render::Color color, float behind_px, float gap_px) {
  const std::string shown = fitted_end(text, room_before(behind_px + gap_px));
  if (shown.empty()) return;
  colored_text(color, shown);
  ImGui::SameLine(0, gap_px);
}

// Its button always has room, the words before it share the rest.
float width_of_cancel() {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::CalcTextSize("Cancel").x + 2 * style.FramePadding.x + style.ItemSpacing.x;
}

void draw_job(Ui& ui) {
  const JobStatus& job = *ui.model.job;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float behind = width_of_cancel();
  draw_part(printable(job.title, 400), ui.palette().text, behind, gap);
  const float bar = std::max(ui.px(120), ImGui::CalcTextSize(job.stage.c_str()).x + 2 * gap);
  if (job.done_0_1 < 0) {
    draw_part(job.stage + " ...", ui.palette().dim_text, behind, gap);
  } else if (bar + gap <= room_before(behind)) {
    ImGui::ProgressBar(static_cast<float>(job.done_0_1), {bar, ImGui::GetFontSize()},
                       job.stage.c_str());
    ImGui::SameLine();
  }
  if (ui.widgets.button("Cancel")) ui.ask("job.cancel");
  ImGui::SameLine();
}

}  // namespace

void draw_status_bar(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("status");
  const float gap = ui.px(24);
  ImGui::AlignTextToFramePadding();
  const float job = ui.model.job ? width_of_cancel() : 0;
  draw_part(open_state_text(ui.model), ui.palette().text, job, gap);
  if (!ui.model.undo_title.empty())
    draw_part("undo: " + ui.model.undo_title, ui.palette().dim_text, job, gap);
  if (ui.model.job) draw_job(ui);
  if (ui.model.messages.empty()) return ImGui::NewLine();
  const Message& last = ui.model.messages.back();
  const render::Color color = last.kind == MessageKind::kError     ? ui.palette().error
                              : last.kind == MessageKind::kWarning ? ui.palette().budget
                                                                   : ui.palette().dim_text;
  // One line; all of it is in the list that a click opens.
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
  const std::string line = last.text.substr(0, last.text.find('\n'));
  const std::string text = fitted_end(line, room_before(0)) + "##message";
  if (ImGui::Selectable(text.c_str(), false)) ui.view.popup = Popup::kMessages;
  ImGui::PopStyleColor();
  ui.widgets.remember("messages");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", last.text.c_str());
}

}  // namespace tideline::ui
