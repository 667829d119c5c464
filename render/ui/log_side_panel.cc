// What of a log is shown: runs by number and colour, a filter of tags, and how charts are drawn.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/view_cache.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

void hide(std::vector<std::string>& hidden, const std::string& run, bool is_hidden) {
  const auto at = std::lower_bound(hidden.begin(), hidden.end(), run);
  const bool is_there = at != hidden.end() && *at == run;
  if (is_hidden && !is_there) hidden.insert(at, run);
  if (!is_hidden && is_there) hidden.erase(at);
}

void draw_source(Ui& ui) {
  const LogContents& log = *ui.model.log;
  heading(ui, "Log");
  dim_text(ui, fitted(log.path, ImGui::GetContentRegionAvail().x));
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(log.path, 1000).c_str());
  if (!log.events) return;
  const events::LogCounts& counts = log.events->counts();
  dim_text(ui, fmt::format("{} events, {} values, {} runs", counts.records, counts.rows,
                           log.runs.size()));
  if (!log.graphs.empty()) {
    const std::string graphs =
        fmt::format("{} graph{}", log.graphs.size(), log.graphs.size() == 1 ? "" : "s");
    if (ui.widgets.link(graphs.c_str())) ui.view.log.page = LogPage::kGraphs;
  }
  const auto& entries = log.diagnostics.entries();
  const auto is_bad = [](const Diagnostic& entry) { return entry.severity != Severity::kInfo; };
  if (const auto bad = std::count_if(entries.begin(), entries.end(), is_bad); bad > 0) {
    colored_text(ui.palette().error, fmt::format("{} kinds of damage or loss: see Graphs", bad));
  }
}

// Logs whose runs stand beside those of the first.
void draw_added(Ui& ui) {
  for (const LogContents::Added& one : ui.model.log->added) {
    ImGui::PushID(one.name.c_str());
    const float room = ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x;
    const std::string label = fitted_end("Remove " + printable(one.name), room);
    if (ui.widgets.button(label.c_str())) ui.ask("log.remove", one.name);
    ImGui::PopID();
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(one.path, 1000).c_str());
  }
  if (ui.widgets.button("Add a log...")) ui.ask("log.add-dialog");
  ui.widgets.hint("The runs of another log stand beside these, in the same charts");
}

void draw_axis(Ui& ui) {
  render::ScalarLook& look = ui.view.log.look;
  static constexpr std::array<const char*, 3> kAxes = {"step", "relative time", "wall time"};
  int axis = static_cast<int>(look.axis);
  ImGui::SetNextItemWidth(ui.px(130));
  if (ui.widgets.combo("axis", &axis, kAxes)) {
    look.axis = static_cast<render::LogAxis>(axis);
    look.visible = {};
  }
  ui.widgets.checkbox("log y", &look.is_log_y);
  ImGui::SameLine();
  ui.widgets.checkbox("log x", &look.is_log_x);
  if (ui.view.log.page == LogPage::kScalars) {
    ui.widgets.checkbox("no outliers", &look.leaves_out_outliers);
    ui.widgets.hint(
        "The chart shows where nine tenths of the values are, and says how many are not");
    ImGui::SameLine();
    ui.widgets.checkbox("full width", &ui.view.log.is_wide);
  }
  if (ui.widgets.button("Whole axis", 0, !look.visible.empty())) look.visible = {};
  ui.widgets.hint(
      "Drag over a chart to zoom in, Ctrl+wheel zooms at the mouse; a double click "
      "shows the whole axis again; a right click enlarges the chart");
}

void draw_smoothing(Ui& ui) {
  render::ScalarLook& look = ui.view.log.look;
  auto smoothing = static_cast<float>(look.smoothing_0_1);
  ImGui::SetNextItemWidth(ui.px(130));
  if (ui.widgets.slider("smoothing", &smoothing, 0, 0.999F, "%.3f", false))
    look.smoothing_0_1 = static_cast<double>(std::clamp(smoothing, 0.0F, 0.999F));
}

// As many controls as the page has a use for.
void draw_look(Ui& ui) {
  heading(ui, "Look");
  const Widgets::Group group = ui.widgets.group("charts");
  switch (ui.view.log.page) {
    case LogPage::kScalars:
      draw_smoothing(ui);
      draw_axis(ui);
      break;
    case LogPage::kDistributions: draw_axis(ui); break;
    case LogPage::kHistograms:
      ui.widgets.checkbox("one behind the other", &ui.view.log.histograms.is_offset);
      break;
    case LogPage::kImages: ui.widgets.checkbox("pixel by pixel", &ui.view.log.is_pixel_size); break;
    case LogPage::kText: ui.widgets.checkbox("as written", &ui.view.log.is_raw_text); break;
    case LogPage::kHparams:
    case LogPage::kGraphs: break;
  }
  const bool has_rows = ui.view.log.page == LogPage::kImages || ui.view.log.page == LogPage::kText;
  if (!has_rows) return;
  const bool is_chosen = ui.view.log.step || !ui.view.log.rows.empty();
  if (ui.widgets.button("Newest steps", 0, is_chosen)) {
    ui.view.log.step.reset();
    ui.view.log.rows.clear();
  }
}

void draw_filter(Ui& ui, const char* label, const TextFilter& filter, std::string* text) {
  ImGui::SetNextItemWidth(-1);
  ui.widgets.input(label, "filter (words or a regular expression)", text);
  if (!filter.error().empty()) colored_text(ui.palette().error, filter.error());
}

void draw_run(Ui& ui, const LogRun& run) {
  std::vector<std::string>& hidden = ui.view.log.hidden_runs;
  bool is_shown = run.is_shown;
  if (ui.widgets.tick(run.name.c_str(), &is_shown, false)) hide(hidden, run.name, !is_shown);
  ImGui::SameLine();
  const render::Color color = render::run_color(ui.palette(), run.number);
  ImGui::TextColored(to_vec4(color), "%s", fmt::format("{}", run.number).c_str());
  ImGui::SameLine();
  const std::string name = fitted(run.name, ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleColor(ImGuiCol_Text,
                        to_vec4(run.is_shown ? ui.palette().text : ui.palette().dim_text));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", printable(run.name, 1000).c_str());
}

void draw_runs(Ui& ui) {
  heading(ui, "Runs");
  const Widgets::Group group = ui.widgets.group("runs");
  const std::vector<LogRun>& runs = ui.cache.log_charts().runs();
  std::vector<std::string>& hidden = ui.view.log.hidden_runs;
  draw_filter(ui, "##run filter", ui.cache.log_charts().run_filter(), &ui.view.log.run_filter);
  if (ui.widgets.button("All")) hidden.clear();
  ImGui::SameLine();
  if (ui.widgets.button("None")) {
    for (const LogRun& run : runs) hide(hidden, run.name, run.is_listed);
  }
  std::vector<const LogRun*> listed;
  for (const LogRun& run : runs) {
    if (run.is_listed) listed.push_back(&run);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(listed.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      draw_run(ui, *listed[static_cast<std::size_t>(i)]);
      ImGui::PopID();
    }
  }
}

}  // namespace

void draw_log_side_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("log side");
  draw_source(ui);
  draw_added(ui);
  ImGui::Spacing();
  draw_look(ui);
  ImGui::Spacing();
  heading(ui, "Tags");
  draw_filter(ui, "##tag filter", ui.cache.log_charts().tag_filter(), &ui.view.log.tag_filter);
  ImGui::Spacing();
  draw_runs(ui);
}

}  // namespace tideline::ui
