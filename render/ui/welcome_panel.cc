#include <imgui.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {

namespace {

struct Start {
  const char* title;
  const char* action;
};
constexpr std::array kStarts = {
    Start{"Open the sample", "file.open-sample"}, Start{"Open...", "file.open-dialog"},
    Start{"Log...", "log.open-dialog"}, Start{"Checkpoint...", "checkpoint.open-dialog"}};

// In as many lines as they need.
void draw_buttons(Ui& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (const Start& start : kStarts) {
    const float width = ImGui::CalcTextSize(start.title).x + 2 * style.FramePadding.x;
    const bool fits = ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right;
    if (&start != kStarts.data() && fits) ImGui::SameLine();
    if (ui.widgets.button(start.title)) ui.ask(start.action);
  }
}

void draw_lessons(Ui& ui) {
  if (ui.model.lessons.empty()) return;
  ImGui::Spacing();
  dim_text(ui, "Lessons: large model support from its beginning, played in this window");
  const Widgets::Group group = ui.widgets.group("lessons");
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float gap = ui.px(14);
  int number = 0;
  for (const SampleInfo& lesson : ui.model.lessons) {
    const std::string title = std::to_string(++number) + " " + lesson.title;
    const float width = ImGui::CalcTextSize(title.c_str()).x;
    if (number > 1 && ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
    if (ui.widgets.link(title.c_str())) ui.ask("lesson.start", lesson.word);
    ui.widgets.hint(lesson.shows);
  }
}

// What the sample shows, and the others beside it.
void draw_samples(Ui& ui) {
  if (ui.model.samples.empty()) return;
  ImGui::Spacing();
  dim_text(ui, "The sample: " + ui.model.samples.front().shows);
  if (ui.model.samples.size() < 2) return;
  ImGui::Spacing();
  dim_text(ui, "Other samples");
  const Widgets::Group group = ui.widgets.group("samples");
  for (std::size_t i = 1; i < ui.model.samples.size(); ++i) {
    const SampleInfo& sample = ui.model.samples[i];
    if (ui.widgets.link(sample.title.c_str())) ui.ask("file.open-sample", sample.word);
    ImGui::Indent(ui.px(12));
    dim_text(ui, sample.shows);
    ImGui::Unindent(ui.px(12));
  }
}

}  // namespace

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
  draw_buttons(ui);
  draw_lessons(ui);
  draw_samples(ui);
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
