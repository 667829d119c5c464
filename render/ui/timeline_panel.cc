#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "core/base/text.h"
#include "render/model/axis_range.h"
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

TimeStretch whole_step(const TimelineLayout& timeline) {
  return {0, static_cast<double>(timeline.trace.span_ns) / 1000};
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
  if (mouse.was_double_clicked) {
    const double from = static_cast<double>(zone.from_ns) / 1000;
    const double span = std::max(kLeastSpan, static_cast<double>(zone.to_ns - zone.from_ns) / 1000);
    ui.view.trace = clamped({from - span * 0.1, span * 1.2}, timeline.count);
  }
}

void statistics_row(Ui& ui, const std::string& name, const ZoneStatistics& all,
                    const std::string& busy) {
  const TimelineLayout& timeline = ui.cache.timeline(*ui.model.scene);
  const StepTrace& trace = ui.model.scene->measured->trace;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(fitted(name, ImGui::GetContentRegionAvail().x).c_str());
  ui.widgets.remember("row " + name);
  for (const std::string& text :
       {format_time(all.total_ns), fmt::format("{}", all.count),
        format_time(std::llround(all.mean_ns())), format_time(all.longest_ns), busy}) {
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

// Lanes, then types; each in the order of the column that is sorted by, or as they came.
std::vector<std::size_t> statistics_order(const RangeStatistics& statistics,
                                          const TimelineLayout& timeline, std::size_t types) {
  const std::size_t lanes = statistics.lanes.size();
  std::vector<std::size_t> order(lanes + types);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (specs == nullptr || specs->SpecsCount == 0) return order;
  const int column = specs->Specs[0].ColumnIndex;
  const bool descends = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  const auto name = [&](std::size_t row) {
    return row < lanes ? std::string(short_lane_name(timeline.trace.lanes[row].device))
                       : std::string(statistics.types[row - lanes].type);
  };
  const auto number = [&](std::size_t row) -> double {
    const ZoneStatistics& all =
        row < lanes ? statistics.lanes[row].all : statistics.types[row - lanes].all;
    switch (column) {
      case 1: return static_cast<double>(all.total_ns);
      case 2: return static_cast<double>(all.count);
      case 3: return all.count == 0 ? 0 : all.mean_ns();
      case 4: return static_cast<double>(all.longest_ns);
      default: return row < lanes ? static_cast<double>(statistics.lanes[row].busy_ns) : 0;
    }
  };
  const auto less = [&](std::size_t a, std::size_t b) {
    return column == 0 ? name(a) < name(b) : number(a) < number(b);
  };
  const auto by = [&](std::size_t a, std::size_t b) { return descends ? less(b, a) : less(a, b); };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(lanes);
  std::stable_sort(order.begin(), middle, by);
  std::stable_sort(middle, order.end(), by);
  return order;
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
  const std::size_t lanes = statistics.lanes.size();
  const std::size_t types = std::min(kMostTypeRows, statistics.types.size());
  const std::vector<std::size_t> order = statistics_order(statistics, timeline, types);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(order.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t row = order[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      if (row < lanes) {
        const LaneStatistics& own = statistics.lanes[row];
        statistics_row(ui, printable(short_lane_name(timeline.trace.lanes[row].device)), own.all,
                       format_time(own.busy_ns));
      } else {
        const TypeStatistics& type = statistics.types[row - lanes];
        statistics_row(ui, type.type.empty() ? "(no type)" : printable(type.type), type.all, "");
      }
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
  render::TimelineLook look = {.scene = &scene,
                               .timeline = &timeline,
                               .palette = &ui.palette(),
                               .area = mouse.area,
                               .range = {view.trace.first, view.trace.span},
                               .scroll_px = 0,
                               .stretch = {},
                               .selected = {},
                               .cursor = {},
                               .font_px = view.font_px * view.scale};
  const render::Axis axis = render::timeline_axis(look);
  const bool is_choosing = take_stretch(ui, axis);
  if (!is_choosing) {
    move_range(mouse, axis, timeline.count, view.trace);
    view.trace_scroll_px -= static_cast<double>(mouse.drag_y_px);
  }
  const float most_scroll = std::max(0.0F, render::timeline_height(look) - mouse.area.height());
  view.trace_scroll_px = std::clamp(view.trace_scroll_px, 0.0, static_cast<double>(most_scroll));
  look.scroll_px = static_cast<float>(view.trace_scroll_px);
  look.range = {view.trace.first, view.trace.span};
  if (view.stretch) look.stretch = {view.stretch->from_us, view.stretch->to_us};
  if (view.selected) look.selected = view.selected->op;
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
  const TimeStretch stretch = ui.view.stretch.value_or(whole_step(timeline));
  const RangeStatistics& statistics = ui.cache.statistics(*ui.model.scene, stretch);
  const auto ns = [](double us) { return std::llround(us * 1000); };
  const std::string title = fmt::format(
      "{}: {} from {} to {}, waiting for late swap-ins {}",
      ui.view.stretch ? "Stretch" : "Whole step", format_time(ns(stretch.to_us - stretch.from_us)),
      format_time(ns(stretch.from_us)), format_time(ns(stretch.to_us)),
      format_time(statistics.late_ns));
  const std::string shown = fitted_end(title, ImGui::GetContentRegionAvail().x - 2 * ui.px(5));
  heading(ui, shown.c_str(), "Shift or Ctrl and a drag over the timeline choose a stretch");
  if (ui.view.stretch && ui.widgets.button("Whole step")) ui.ask("timeline.clear");
  ImGui::PushFont(ui.fonts.small);
  statistics_table(ui, statistics);
  ImGui::PopFont();
}

}  // namespace tideline::ui
