#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"

namespace tideline::ui {
namespace {

struct Match {
  const ActionInfo* action;
  int score;
};

std::vector<Match> matches_of(const UiModel& model, std::string_view wanted) {
  std::vector<Match> matches;
  for (const ActionInfo& action : model.actions) {
    const std::string text = action.title + " " + action.id;
    if (const auto score = fuzzy_score(text, wanted)) matches.push_back({&action, *score});
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.score > b.score; });
  return matches;
}

// A line as in a script: its first word is an action's id.
bool run_line(Ui& ui, const std::string& line) {
  const std::vector<std::string> words = split_list(line, ' ');
  if (words.empty()) return false;
  const bool known = std::any_of(ui.model.actions.begin(), ui.model.actions.end(),
                                 [&](const ActionInfo& action) { return action.id == words[0]; });
  if (known) ui.intents.push_back({words[0], {words.begin() + 1, words.end()}});
  return known;
}

// Which match Enter runs; the arrow keys move it, another text begins at the best one again.
int chosen_match(std::string_view text, std::size_t count) {
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  int& chosen = *kept.GetIntRef(ImGui::GetID("chosen"), 0);
  const int hash = static_cast<int>(ImGui::GetID(text.data(), text.data() + text.size()));
  int& last = *kept.GetIntRef(ImGui::GetID("text"), 0);
  if (ImGui::IsWindowAppearing() || last != hash) chosen = 0;
  last = hash;
  const auto pressed = [](ImGuiKey key) {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)) ? 1 : 0;
  };
  chosen += pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
  chosen = std::clamp(chosen, 0, std::max(0, static_cast<int>(count) - 1));
  return chosen;
}

// What a click or Enter on a line does: an action that needs more goes into the text.
void take(Ui& ui, PopupWindow& window, const ActionInfo& action) {
  if (!action.enabled) return;
  if (action.needs_arguments) {
    ui.view.palette_text = action.id + " ";
    return;
  }
  ui.ask(action.id);
  window.close();
}

void list_actions(Ui& ui, PopupWindow& window, const std::vector<Match>& matches, int chosen) {
  ImGui::BeginChild("actions", {0, 0}, false);
  const bool has_moved = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow)) ||
                         ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow));
  for (const Match& match : matches) {
    const ActionInfo& action = *match.action;
    const bool is_chosen = &match - matches.data() == chosen;
    const std::string label = action.title.empty() ? action.id : action.title + "##" + action.id;
    ImGui::BeginDisabled(!action.enabled);
    const bool pressed = ui.widgets.selectable(label.c_str(), is_chosen);
    if (is_chosen && has_moved) ImGui::SetScrollHereY();
    ImGui::EndDisabled();
    const std::string beside = action.keys.empty() ? action.id : action.id + "   " + action.keys;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(beside.c_str()).x);
    ImGui::TextDisabled("%s", beside.c_str());
    if (pressed) take(ui, window, action);
  }
  ImGui::EndChild();
}

}  // namespace

void draw_command_palette(Ui& ui) {
  PopupWindow window(ui, "Run a command, or go to an op", 640, 420);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("palette");
  const auto matches = matches_of(ui.model, ui.view.palette_text);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const int chosen = chosen_match(ui.view.palette_text, matches.size());
  ImGui::SetNextItemWidth(-1);
  if (ui.widgets.input("##command", "a command, or the name of an op", &ui.view.palette_text,
                       true)) {
    if (run_line(ui, ui.view.palette_text)) {
      window.close();
    } else if (!matches.empty()) {
      take(ui, window, *matches[static_cast<std::size_t>(chosen)].action);
      ImGui::SetKeyboardFocusHere(-1);  // Enter ends typing; an action may want its arguments
    } else if (matches.empty() && !ui.view.palette_text.empty()) {
      ui.ask("search.find", ui.view.palette_text);
      ui.view.search = ui.view.palette_text;
      ui.view.popup = Popup::kSearch;
      ImGui::CloseCurrentPopup();
    }
    if (ui.view.popup == Popup::kNone) ui.view.palette_text.clear();
  }
  list_actions(ui, window, matches, chosen);
}

void draw_search(Ui& ui) {
  PopupWindow window(ui, "Find", 640, 420);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("search");
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  // Asked on every letter; a find that is not done yet when the next comes is dropped by the app.
  if (ui.widgets.input("##text", "name, /regex/, op:Conv2D, attr:padding, bytes>10M, level:20..40",
                       &ui.view.search))
    ui.ask("search.find", ui.view.search);
  if (!ui.model.search_problem.empty()) {
    dim_text(ui, ui.model.search_problem);
  } else if (!ui.view.search.empty()) {
    dim_text(ui, fmt::format(
                     "{} found{}", ui.model.search_total,
                     ui.model.search_total > static_cast<std::int64_t>(ui.model.search_hits.size())
                         ? fmt::format(", the first {} are shown", ui.model.search_hits.size())
                         : ""));
  }
  ImGui::BeginChild("hits", {0, 0}, false);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(ui.model.search_hits.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::string& name = ui.model.search_hits[static_cast<std::size_t>(i)];
      if (ui.widgets.selectable(printable(name, 400).c_str(), false)) {
        ui.ask("select.op", name);
        ui.ask("view.fit-selection");
        window.close();
      }
    }
  }
  ImGui::EndChild();
}

}  // namespace tideline::ui
