#include <fmt/format.h>
#include <imgui.h>

#include "core/base/text.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostTitleBytes = 40;

void draw_tab(Ui& ui, const DocumentInfo& document, const std::string& number) {
  const std::string title = printable(document.title, kMostTitleBytes);
  const ImGuiCol color = document.is_shown ? ImGuiCol_TabActive : ImGuiCol_Tab;
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(color));
  // Two documents of one title are two widgets.
  if (ui.widgets.button((title + "##" + number).c_str())) ui.ask("document.show", number);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(document.path, 1000).c_str());
  const Widgets::Group group = ui.widgets.group(title);
  ImGui::SameLine(0, 0);
  if (ui.widgets.button(("x##" + number).c_str())) ui.ask("document.close", number);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Close");
  ImGui::PopStyleColor();
  const char* state = document.is_busy ? "..." : document.is_unwritten ? "not written" : nullptr;
  if (state == nullptr) return;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", state);
}

}  // namespace

void draw_document_tabs(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("documents");
  for (std::size_t i = 0; i < ui.model.documents.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, ui.px(12));
    draw_tab(ui, ui.model.documents[i], fmt::format("{}", i + 1));
  }
}

}  // namespace tideline::ui
