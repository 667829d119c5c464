#include "render/ui/popups.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>

#include "render/model/view_cache.h"
#include "render/ui/panels.h"

namespace tideline::ui {
namespace {

// A dialog that an action has closed: ImGui keeps it open, and the window behind it dead, until it
// is told.
void close_dialog(Ui& ui) {
  if (ui.cache.dialog.empty()) return;
  if (ImGui::BeginPopupModal(ui.cache.dialog.c_str())) {
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ui.cache.dialog.clear();
}

}  // namespace

PopupWindow::PopupWindow(Ui& ui, const char* title, float width, float height, bool has_question)
    : ui_(ui) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  // Wider with larger letters: rows have two columns of words.
  const float letters = std::max(1.0F, ImGui::GetFontSize() / ui.px(15));
  const float w = std::min(ui.px(width) * letters, screen.x - ui.px(20));
  const float h = std::min(ui.px(height), screen.y - ui.px(60));
  ImGui::SetNextWindowPos({(screen.x - w) / 2, std::max(ui.px(30), (screen.y - h) * 0.35F)});
  ImGui::SetNextWindowSize({w, h});
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  bool stays_open = true;
  is_open_ =
      ImGui::BeginPopupModal(title, &stays_open,
                             ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse);
  if (!is_open_) return;
  ui.cache.dialog = title;
  // A list that is open in it is in front.
  const bool has_list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  const bool is_escape = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (!stays_open || (is_escape && !has_list && !has_question)) close();
}

PopupWindow::~PopupWindow() {
  if (is_open_) ImGui::EndPopup();
}

void PopupWindow::close() {
  ui_.view.popup = Popup::kNone;
  ImGui::CloseCurrentPopup();
}

std::optional<int> fuzzy_score(std::string_view text, std::string_view wanted) {
  int score = 0;
  std::size_t at = 0;
  bool follows = false;
  for (const char c : wanted) {
    if (c == ' ') {
      follows = false;
      continue;
    }
    const auto lower = [](char x) { return std::tolower(static_cast<unsigned char>(x)); };
    const std::size_t before = at;
    while (at < text.size() && lower(text[at]) != lower(c)) ++at;
    if (at == text.size()) return std::nullopt;
    const bool starts_word = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
    score += follows && at == before ? 3 : starts_word ? 2 : 0;
    follows = true;
    ++at;
  }
  return score;
}

void draw_popups(Ui& ui) {
  switch (ui.view.popup) {
    case Popup::kNone: close_dialog(ui); break;
    case Popup::kOpen: draw_file_browser(ui, "file.open"); break;
    case Popup::kOpenLog: draw_file_browser(ui, "document.open log"); break;
    case Popup::kAddLog: draw_file_browser(ui, "log.add"); break;
    case Popup::kOpenTrace: draw_file_browser(ui, "measure.open"); break;
    case Popup::kOpenCheckpoint: draw_file_browser(ui, "document.open checkpoint"); break;
    case Popup::kCompareCheckpoint: draw_file_browser(ui, "checkpoint.compare"); break;
    case Popup::kCompareGraph: draw_file_browser(ui, "diff.file"); break;
    case Popup::kConvertCheckpoint: draw_convert_dialog(ui); break;
    case Popup::kWrite: draw_write_dialog(ui); break;
    case Popup::kKeys: draw_key_sheet(ui); break;
    case Popup::kPalette: draw_command_palette(ui); break;
    case Popup::kSearch: draw_search(ui); break;
    case Popup::kMessages: draw_messages(ui); break;
    case Popup::kAbout: draw_about(ui); break;
    case Popup::kQuit: draw_quit_question(ui); break;
    case Popup::kOpenLesson: draw_file_browser(ui, "lesson.open"); break;
    case Popup::kChooseFont: draw_file_browser(ui, "view.font"); break;
  }
}

}  // namespace tideline::ui
