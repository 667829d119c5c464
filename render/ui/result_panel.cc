#include <imgui.h>

#include "render/model/levels_limit.h"
#include "render/model/result_lines.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

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
  explain(ui, line.text, line.hint);
  if (line.is_small) ImGui::PopFont();
  if (!line.label.empty() && ui.widgets.button(line.label.c_str(), -1)) {
    ui.intents.push_back({line.action, line.arguments});
  }
}

// A part of the line, if there is room for some of it; cut at its end. Returns where the next one
// begins.
float draw_part(float x, float to, const std::string& text, render::Color color, float middle) {
  if (text.empty()) return x;
  const float height = ImGui::GetFontSize();
  const std::string shown = fitted_end(text, to - x);
  if (shown.empty()) return to;
  ImGui::SetCursorScreenPos({x, middle - height / 2});
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  return x + ImGui::CalcTextSize(shown.c_str()).x;
}

}  // namespace

float result_strip_height(const Ui& ui) {
  return ui.fonts.large->FontSize + ui.px(10);
}

void draw_result_strip(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("result line");
  const ResultCard card = result_card(ui.model, ui.view.device);
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + size.x, from.y + size.y},
                                            to_u32(ui.palette().panel));
  const float middle = from.y + size.y / 2, gap = ui.px(14), to = from.x + size.x - gap;
  float x = from.x + ui.px(10);
  // The number is large where it leaves room for the verdict.
  ImGui::PushFont(ui.fonts.large);
  const bool is_large =
      x + ImGui::CalcTextSize(card.title.c_str()).x + gap + 10 * ImGui::GetFontSize() / 2 < to;
  if (!is_large) ImGui::PushFont(ui.fonts.body);
  x = draw_part(x, to, card.title, ui.palette().text, middle);
  if (!is_large) ImGui::PopFont();
  ImGui::PopFont();
  const bool is_stale = ui.model.is_stale && card.can_write;
  x = draw_part(x, to, is_stale ? " \u2026" : "", ui.palette().dim_text, middle);
  x = draw_part(x + gap, to, card.verdict, color_of(ui, card.verdict_tone), middle);
  x = draw_part(x + gap, to, card.time, ui.palette().dim_text, middle);
  draw_part(x + gap, to, card.swaps, ui.palette().dim_text, middle);
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("line", size);
  ui.widgets.remember("line");
  ui.widgets.hint(card.hint + ": " + card.title + "\n" + card.verdict + "\n" + card.time + "\n" +
                  card.swaps);
}

void draw_result_panel(Ui& ui) {
  heading(ui, "Result");
  if (!ui.model.scene) {
    empty_state(ui, "Peak of device memory before and after.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("result");
  const ResultCard card = result_card(ui.model, ui.view.device, limit_of(ui.view));
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
