#include <imgui.h>

#include "render/model/result_lines.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

render::Color color_of(const Ui& ui, Tone tone) {
  switch (tone) {
    case Tone::kText: break;
    case Tone::kDim: return ui.palette().dim_text;
    case Tone::kGood: return ui.palette().good;
    case Tone::kWarning: return ui.palette().warning;
    case Tone::kError: return ui.palette().error;
    case Tone::kMeasured: return ui.palette().measured;
  }
  return ui.palette().text;
}

void draw_line(Ui& ui, const ResultLine& line) {
  if (line.is_small) ImGui::PushFont(ui.fonts.small);
  colored_text(color_of(ui, line.tone), line.text);
  if (!line.name.empty()) ui.widgets.remember(line.name);
  if (!line.hint.empty()) ui.widgets.hint(line.hint);
  if (line.is_small) ImGui::PopFont();
  if (!line.label.empty() && ui.widgets.button(line.label.c_str(), -1)) {
    ui.intents.push_back({line.action, line.arguments});
  }
}

}  // namespace

void draw_result_panel(Ui& ui) {
  heading(ui, "Result");
  if (!ui.model.scene) {
    empty_state(ui, "Peak of device memory before and after.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("result");
  const ResultCard card = result_card(ui.model, ui.view.device);
  ImGui::PushFont(ui.fonts.large);
  ImGui::TextUnformatted(card.title.c_str());
  ImGui::PopFont();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", card.hint.c_str());
  if (ui.model.is_stale && card.can_write) {
    ImGui::SameLine();
    ImGui::TextDisabled("...");
  }
  for (const ResultLine& line : card.lines) {
    if (!line.is_detail) draw_line(ui, line);
  }
  // As wide as their labels ask for, beside a scroll bar too.
  const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x;
  const float left = room * 0.54F;
  const float right = room - left;
  if (ui.widgets.button("Write graph...", left, card.can_write)) ui.ask("file.write-dialog");
  ImGui::SameLine();
  if (ui.widgets.button("Write TB log...", right, card.can_write)) {
    ui.ask("file.write-dialog", "log");
  }
  if (ui.widgets.button("Copy command line", left)) ui.ask("edit.copy-command-line");
  ImGui::SameLine();
  if (ui.widgets.button("Copy Python call", right)) ui.ask("edit.copy-python");
  // Lines below may be cut off in a low window, the buttons above must not.
  for (const ResultLine& line : card.lines) {
    if (line.is_detail) draw_line(ui, line);
  }
}

}  // namespace tideline::ui
