#include "render/ui/panel.h"

#include <imgui.h>

#include "core/base/text.h"
#include "render/model/glossary.h"
#include "render/model/levels_limit.h"
#include "render/ui/theme.h"

namespace tideline::ui {

void explain(const Ui& ui, std::string_view text, std::string_view help) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  std::string shown(help);
  const std::string terms = explained(text);
  if (!shown.empty() && !terms.empty()) shown += "\n\n";
  shown += terms;
  if (!shown.empty()) ui.widgets.hint(shown);
}

void dim_text(const Ui& ui, const std::string& text) {
  colored_text(ui.palette().dim_text, text);
  explain(ui, text);
}

void colored_text(render::Color color, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void draw_limit(Ui& ui) {
  const LevelStretch* limit = limit_of(ui.view);
  if (limit == nullptr) return;
  if (ui.widgets.button(limit_label(*limit).c_str(), -1)) ui.ask("levels.clear");
}

void heading(Ui& ui, const char* text, std::string_view help) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const float from = ImGui::GetWindowPos().x, to = from + ImGui::GetWindowWidth();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({from, at.y}, {to, at.y + height}, to_u32(ui.palette().raised));
  list->AddText({at.x, at.y + (height - ImGui::GetFontSize()) / 2}, to_u32(ui.palette().text),
                text);
  ImGui::Dummy({to - at.x, height});
  const Widgets::Group group = ui.widgets.group("headings");
  ui.widgets.remember(text);
  const Widgets::Group own = ui.widgets.group(text);
  explain(ui, text, help);
}

void table_headings(Ui& ui, std::span<const std::string_view> help) {
  const Widgets::Group group = ui.widgets.group("headings");
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t i = 0; i < help.size(); ++i) {
    if (!ImGui::TableSetColumnIndex(static_cast<int>(i))) continue;
    const char* name = ImGui::TableGetColumnName(static_cast<int>(i));
    ImGui::TableHeader(name);
    ui.widgets.remember(name);
    const Widgets::Group own = ui.widgets.group(name);
    explain(ui, name, help[i]);
  }
}

void empty_state(const Ui& ui, const std::string& text) {
  ImGui::Spacing();
  dim_text(ui, text);
}

std::string fitted(const std::string& name, float width_px) {
  std::string text = printable(name, 400);
  if (ImGui::CalcTextSize(text.c_str()).x <= width_px) return text;
  const auto cut = [&text](std::size_t from) { return "\u2026" + text.substr(from); };
  std::size_t fits = text.size(), too_long = 0;
  while (too_long + 1 < fits) {
    const std::size_t middle = (too_long + fits) / 2;
    (ImGui::CalcTextSize(cut(middle).c_str()).x <= width_px ? fits : too_long) = middle;
  }
  while (fits < text.size() && (static_cast<unsigned char>(text[fits]) & 0xC0U) == 0x80U) ++fits;
  return cut(fits);
}

std::string fitted_end(const std::string& text, float width_px) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width_px) return text;
  constexpr std::size_t kFewLetters = 3;
  std::string cut = text;
  while (cut.size() > kFewLetters) {
    do cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0x80U) != 0);
    if (ImGui::CalcTextSize((cut + "\u2026").c_str()).x <= width_px) return cut + "\u2026";
  }
  return {};
}

}  // namespace tideline::ui
