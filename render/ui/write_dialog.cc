// What is written, each with its own name and ending. Enter writes; what exists is replaced only
// after a question, which keeps the dialog open.
#include <imgui.h>

#include <array>

#include "core/base/text.h"
#include "render/ui/file_list.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"

namespace tideline::ui {
namespace {

struct Form {
  const char* title;
  const char* says;    // what it is, and how its name ends; of a graph the formats follow
  const char* action;  // with the path as its argument
  const char* what;    // a second argument; null: none
  std::array<const char*, 2> endings;  // empty: any
};

// As WriteForm counts.
constexpr std::array<Form, kWriteForms> kForms = {{
    {"Graph", "The rewritten graph. The name says the format: ", "file.write", nullptr, {}},
    {"TensorBoard log",
     "A new folder with the graph before and after as two runs, for TensorBoard",
     "file.write-log",
     nullptr,
     {}},
    {"Plan",
     "The plan with all its reasons, as JSON",
     "file.write-plan",
     nullptr,
     {".json", nullptr}},
    {"Tables",
     "The swaps as CSV, and the memory of every step in a second file beside it (.steps.csv)",
     "file.write-csv",
     nullptr,
     {".csv", nullptr}},
    {"Picture",
     "The view in the centre, as .svg or .png",
     "file.write-picture",
     "view",
     {".svg", ".png"}},
    {"Window", "The whole window, as .png", "file.write-picture", "window", {".png", nullptr}},
}};

const Form& form_of(WriteForm form) {
  return kForms[static_cast<std::size_t>(form)];
}

// Why no file of this form can have this name; empty: it can.
std::string name_problem(const Form& form, const std::string& path) {
  std::string wanted;
  for (const char* ending : form.endings) {
    if (ending == nullptr) continue;
    if (lower_case(path).ends_with(ending)) return {};
    wanted += (wanted.empty() ? "" : " or ") + std::string(ending);
  }
  return wanted.empty() ? wanted : "The name of this ends in " + wanted + ".";
}

void ask_to_write(Ui& ui, PopupWindow& window, bool replaces) {
  const Form& form = form_of(ui.view.write_form);
  const std::string& path = ui.view.write_paths[static_cast<std::size_t>(ui.view.write_form)];
  Intent intent{form.action, {path}};
  if (form.what != nullptr) {
    const bool is_window = ui.view.write_form == WriteForm::kWindow;
    intent.arguments.push_back(is_window ? form.what : std::string(view_of(ui.view.tab).word));
  }
  if (replaces) intent.arguments.emplace_back("force");
  ui.intents.push_back(std::move(intent));
  ui.view.asks_to_replace = false;
  window.close();
}

void draw_forms(Ui& ui) {
  for (std::size_t i = 0; i < kWriteForms; ++i) {
    if (i > 0) ImGui::SameLine();
    const bool is_chosen = ui.view.write_form == static_cast<WriteForm>(i);
    if (is_chosen)
      ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_TabActive));
    if (ui.widgets.button(kForms[i].title)) {
      ui.view.write_form = static_cast<WriteForm>(i);
      ui.view.asks_to_replace = false;
    }
    if (is_chosen) ImGui::PopStyleColor();
  }
}

// In the place of the buttons; Escape and "Keep it" go back to the name.
void draw_question(Ui& ui, PopupWindow& window, const std::string& path) {
  colored_text(ui.palette().warning, printable(path, 400) + " is there already. Replace it?");
  if (ui.widgets.button("Replace")) ask_to_write(ui, window, true);
  ImGui::SameLine();
  const bool is_escape = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (ui.widgets.button("Keep it") || is_escape) ui.view.asks_to_replace = false;
}

void draw_buttons(Ui& ui, PopupWindow& window, bool is_entered, const std::string& path) {
  std::string problem = name_problem(form_of(ui.view.write_form), path);
  if (problem.empty()) problem = ui.model.write_place.problem;
  const bool can_write = !path.empty() && problem.empty();
  if ((ui.widgets.button("Write", 0, can_write) || is_entered) && can_write) {
    if (ui.model.write_place.exists) {
      ui.view.asks_to_replace = true;
    } else {
      ask_to_write(ui, window, false);
    }
  }
  ImGui::SameLine();
  if (ui.widgets.button("Cancel")) window.close();
  if (problem.empty() || path.empty()) return;
  ImGui::SameLine();
  colored_text(ui.palette().error, problem);
}

}  // namespace

void draw_write_dialog(Ui& ui) {
  PopupWindow window(ui, "Write", 760, 540, ui.view.asks_to_replace);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("write");
  if (ImGui::IsWindowAppearing()) ui.view.asks_to_replace = false;
  const WriteForm before = ui.view.write_form;
  draw_forms(ui);
  const Form& form = form_of(ui.view.write_form);
  const bool is_graph = ui.view.write_form == WriteForm::kGraph;
  dim_text(ui, is_graph ? form.says + ui.model.graph_formats +
                              ", or without a dot the folder of a SavedModel"
                        : form.says);
  std::string& path = ui.view.write_paths[static_cast<std::size_t>(ui.view.write_form)];
  if (ImGui::IsWindowAppearing() || before != ui.view.write_form) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::PushID(form.title);  // each form types into a field of its own
  const std::string typed = path;
  const bool is_entered = ui.widgets.input("##path", "path of the new file", &path, true);
  ImGui::PopID();
  if (typed != path) ui.view.asks_to_replace = false;
  if (ui.model.folder) {
    draw_place(ui, *ui.model.folder);
    const float below = 2 * ImGui::GetFrameHeightWithSpacing();
    const std::string clicked =
        draw_file_list(ui, *ui.model.folder, ImGui::GetContentRegionAvail().y - below, {{}, path});
    if (!clicked.empty()) path = clicked;
  }
  if (ui.view.asks_to_replace) {
    draw_question(ui, window, path);
  } else {
    draw_buttons(ui, window, is_entered, path);
  }
}

}  // namespace tideline::ui
