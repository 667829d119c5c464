#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/text.h"
#include "render/model/axis_range.h"
#include "render/model/statistics_rows.h"
#include "render/model/timeline_look.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_input.h"
#include "render/ui/context_menu.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/view/timeline_view.h"

namespace tideline::ui {
namespace {

using render::TimelineLayout;

constexpr std::size_t kMostTypeRows = 200;

bool has_trace_shown(const Ui& ui) {
  return ui.model.scene && ui.model.scene->measured != nullptr;
}

// Shift or Ctrl and a drag choose a stretch. Returns whether the drag is one of these.
bool take_stretch(Ui& ui, const render::Axis& axis) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsItemActive() || !(io.KeyShift || io.KeyCtrl) ||
      !ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    return false;
  }
  const double most = ui.cache.timeline(*ui.model.scene).count;
  const double a = axis.position(io.MouseClickedPos[ImGuiMouseButton_Left].x);
  const double b = axis.position(io.MousePos.x);
  ui.view.stretch =
      TimeStretch{std::clamp(std::min(a, b), 0.0, most), std::clamp(std::max(a, b), 0.0, most)};
  return true;
}

void take_clicks(Ui& ui, const ChartMouse& mouse, const TimelineLayout& timeline,
                 const render::TimelineHit& hit) {
  if (!hit.zone) return;
  const TraceZone& zone = timeline.trace.zone(*hit.zone);
  const render::Scene& scene = *ui.model.scene;
  if (mouse.was_clicked && zone.op.valid()) ui.ask("select.op", scene.graph->name(zone.op));
  if (mouse.wants_menu && zone.op.valid()) open_menu(ui, std::string(scene.graph->name(zone.op)));
  if (mouse.was_double_clicked) ui.view.trace = range_around(timeline, *hit.zone);
}

void statistics_row(Ui& ui, const StatisticsRow& row) {
  const TimelineLayout& timeline = ui.cache.timeline(*ui.model.scene);
  const StepTrace& trace = ui.model.scene->measured->trace;
  const ZoneStatistics& all = row.all;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(fitted(row.name, ImGui::GetContentRegionAvail().x).c_str());
  ui.widgets.remember("row " + row.name);
  for (const std::string& text :
       {format_time(all.total_ns), fmt::format("{}", all.count),
        format_time(std::llround(all.mean_ns())), format_time(all.longest_ns),
        row.busy_ns ? format_time(*row.busy_ns) : std::string()}) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text.c_str());
  }
  ImGui::TableNextColumn();
  if (all.count == 0) return;
  const TraceZone& longest = timeline.trace.zone(all.longest);
  const std::string op(trace.ops[longest.row].name);
  const std::string shown = fitted(op, ImGui::GetContentRegionAvail().x);
  if (!longest.op.valid()) return ImGui::TextUnformatted(shown.c_str());
  if (ui.widgets.link(shown.c_str())) ui.ask("select.op", op);
}

// In the order of the column that is sorted by, or as they came.
std::vector<StatisticsRow> sorted_rows(const RangeStatistics& statistics,
                                       const TimelineLayout& timeline) {
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  std::optional<StatisticsColumn> column;
  bool is_descending = false;
  if (specs != nullptr && specs->SpecsCount > 0) {
    column = static_cast<StatisticsColumn>(specs->Specs[0].ColumnIndex);
    is_descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  }
  return statistics_rows(statistics, timeline.trace, kMostTypeRows, column, is_descending);
}

// Names come first: columns that would leave less than a dozen letters of them are left out, those
// that say least before the others.
void set_up_statistics_columns() {
  constexpr std::array<const char*, 5> kNumbers = {"total", "count", "mean", "longest", "busy"};
  constexpr std::array<std::size_t, 5> kByWeight = {0, 4, 3, 1, 2};
  const float padding = 2 * ImGui::GetStyle().CellPadding.x + 1;
  const float name = ImGui::CalcTextSize("a dozen letters").x + padding;
  const float number = ImGui::CalcTextSize("8888.8 ms").x;
  float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize - name;
  std::array<bool, 5> is_shown = {};
  const auto take = [&room](float width_px) {
    if (room < width_px) return false;
    room -= width_px;
    return true;
  };
  is_shown[kByWeight[0]] = take(number + padding);
  const bool has_op = take(name);
  for (std::size_t i = 1; i < kByWeight.size(); ++i) {
    is_shown[kByWeight[i]] = is_shown[kByWeight[i - 1]] && take(number + padding);
  }
  const auto flag = [](bool shown) { return shown ? 0 : ImGuiTableColumnFlags_Disabled; };
  ImGui::TableSetupColumn("lane or type", ImGuiTableColumnFlags_WidthStretch, 3);
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    ImGui::TableSetupColumn(kNumbers[i],
                            ImGuiTableColumnFlags_WidthFixed |
                                ImGuiTableColumnFlags_PreferSortDescending | flag(is_shown[i]),
                            number);
  }
  ImGui::TableSetupColumn(
      "longest op",
      ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_NoSort | flag(has_op), 3);
}

void statistics_table(Ui& ui, const RangeStatistics& statistics) {
  const TimelineLayout& timeline = ui.cache.timeline(*ui.model.scene);
  if (!ImGui::BeginTable("statistics", 7,
                         ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                             ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate)) {
    return;
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  set_up_statistics_columns();
  constexpr std::array<std::string_view, 7> kHelp = {
      "A row of the timeline, or a type of op. A click on a heading sorts",
      "The sum of the times",
      "Executions",
      "The sum by the executions",
      "The longest execution",
      "The time in which the lane has at least one",
      "The op of the longest execution"};
  table_headings(ui, kHelp);
  const std::vector<StatisticsRow> rows = sorted_rows(statistics, timeline);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      statistics_row(ui, rows[static_cast<std::size_t>(i)]);
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
}

}  // namespace

void draw_timeline_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("timeline");
  if (!has_trace_shown(ui)) {
    return empty_state(ui,
                       "There is no traced step. Open one with File, Open a traced step, or from "
                       "the page Graphs of a log.");
  }
  ViewState& view = ui.view;
  const render::Scene& scene = *ui.model.scene;
  const TimelineLayout& timeline = ui.cache.timeline(scene);
  const ChartMouse mouse = take_chart_area(ui, "canvas", ImGui::GetContentRegionAvail().y);
  render::TimelineLook look = timeline_look(ui.model, view, ui.cache, mouse.area);
  const render::Axis axis = render::timeline_axis(look);
  const bool is_choosing = take_stretch(ui, axis);
  if (!is_choosing) {
    move_range(mouse, axis, timeline.count, view.trace);
    view.trace_scroll_px -= static_cast<double>(mouse.drag_y_px);
  }
  limit_bands(view, look);
  look.range = {view.trace.first, view.trace.span};
  if (view.stretch) look.stretch = {view.stretch->from_us, view.stretch->to_us};
  render::TimelineHit hit;
  if (mouse.is_hovered) {
    hit = render::hit_timeline(look, mouse.at);
    view.cursor = hit.at_us;
    look.cursor = hit.at_us;
    take_clicks(ui, mouse, timeline, hit);
  }
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  canvas.push_clip(mouse.area);
  render::draw_timeline(canvas, look);
  canvas.pop_clip();
  if (!mouse.is_hovered || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  view.tooltip = render::timeline_hit_text(scene, timeline, hit);
  if (!view.tooltip.empty()) ImGui::SetTooltip("%s", view.tooltip.c_str());
}

void draw_timeline_statistics(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("statistics");
  if (!has_trace_shown(ui)) return;
  const TimelineLayout& timeline = ui.cache.timeline(*ui.model.scene);
  const TimeStretch stretch = measured_stretch(ui.view, timeline);
  const RangeStatistics& statistics = ui.cache.statistics(*ui.model.scene, stretch);
  const std::string title = stretch_title(ui.view, stretch, statistics);
  const std::string shown = fitted_end(title, ImGui::GetContentRegionAvail().x - 2 * ui.px(5));
  heading(ui, shown.c_str(), "Shift or Ctrl and a drag over the timeline choose a stretch");
  if (ui.view.stretch && ui.widgets.button("Whole step")) ui.ask("timeline.clear");
  ImGui::PushFont(ui.fonts.small);
  statistics_table(ui, statistics);
  ImGui::PopFont();
}

}  // namespace tideline::ui
