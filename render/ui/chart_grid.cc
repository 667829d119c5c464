#include "render/ui/chart_grid.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/log_page.h"
#include "render/model/view_cache.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr float kLeastChartPx = 330;
constexpr float kChartPx = 230;
constexpr float kGapPx = 8;
constexpr double kZoomAWheelStep = 1.25;

std::string_view group_of_tag(std::string_view tag) {
  const std::size_t slash = tag.find('/');
  return slash == std::string_view::npos ? std::string_view() : tag.substr(0, slash);
}

// The visible part of the axis of a chart between two places on it.
render::NumberRange range_between(const render::ChartFrame& chart, float a_px, float b_px) {
  const double a = chart.x.number(std::clamp(a_px, chart.plot.x0, chart.plot.x1));
  const double b = chart.x.number(std::clamp(b_px, chart.plot.x0, chart.plot.x1));
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

ChartGrid::ChartGrid(Ui& ui) : ui_(ui) {
  const float gap = ui.px(kGapPx);
  const float room = ImGui::GetContentRegionAvail().x;
  const float unit = ui.view.scale * std::max(1.0F, ui.view.font_px / 15);
  columns_ = ui.view.log.is_wide
                 ? 1
                 : std::max(1, static_cast<int>((room + gap) / (kLeastChartPx * unit + gap)));
  width_px_ = std::max(1.0F, std::floor((room - gap * static_cast<float>(columns_ - 1)) /
                                        static_cast<float>(columns_)));
  height_px_ = kChartPx * unit;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
}

ChartGrid::~ChartGrid() {
  ImGui::PopStyleVar();
}

void ChartGrid::next(std::string_view tag) {
  const std::string_view group = group_of_tag(tag);
  const bool is_new_group = is_first_ || group != group_;
  if (is_new_group) column_ = 0;
  if (is_new_group && !group.empty()) heading(ui_, printable(group, 200).c_str());
  if (column_ > 0) ImGui::SameLine();
  column_ = (column_ + 1) % columns_;
  group_ = group;
  is_first_ = false;
}

void draw_empty_page(Ui& ui, const char* what) {
  const LogView& view = ui.view.log;
  const bool has_filter =
      !view.tag_filter.empty() || !view.run_filter.empty() || !view.hidden_runs.empty();
  empty_state(ui, has_filter
                      ? fmt::format("No tag of {} matches the filters and the chosen runs.", what)
                      : fmt::format("There are no {} in this log.", what));
}

std::size_t row_of(const Ui& ui, std::uint32_t series) {
  return shown_row(*ui.model.log, ui.view.log, series);
}

std::size_t draw_row_choice(Ui& ui, std::uint32_t series, float width_px) {
  const auto& rows = ui.model.log->events->series()[series].rows;
  std::size_t row = row_of(ui, series);
  int shown = static_cast<int>(row);
  const std::string text = fmt::format("step {}  ({} of {})", rows[row].step, row + 1, rows.size());
  ImGui::SetNextItemWidth(width_px);
  if (ui.widgets.slider("##step", &shown, 0, static_cast<int>(rows.size() - 1), text.c_str(),
                        false)) {
    row = static_cast<std::size_t>(shown);
    // The newest follows the log.
    if (row + 1 == rows.size() && !ui.view.log.step) {
      ui.view.log.rows.erase(series);
    } else {
      ui.view.log.rows[series] = row;
    }
  }
  return row;
}

void draw_run_name(Ui& ui, std::uint32_t series, std::uint32_t number, float width_px) {
  const events::EventLog& log = *ui.model.log->events;
  const std::string text =
      fmt::format("{} {}", number, printable(log.runs()[log.series()[series].run], 400));
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(render::run_color(ui.palette(), number)));
  ImGui::TextUnformatted(fitted(text, width_px).c_str());
  ImGui::PopStyleColor();
}

void take_chart_mouse(Ui& ui, const render::ChartFrame& chart, render::Point corner) {
  const ImGuiIO& io = ImGui::GetIO();
  render::ScalarLook& look = ui.view.log.look;
  const float mouse_px = io.MousePos.x - corner.x;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    look.visible = {};
    return;
  }
  if (ImGui::IsItemHovered() && io.KeyCtrl && io.MouseWheel != 0) {
    const auto by = static_cast<float>(std::pow(kZoomAWheelStep, -io.MouseWheel));
    look.visible = {chart.x.number(mouse_px - (mouse_px - chart.plot.x0) * by),
                    chart.x.number(mouse_px + (chart.plot.x1 - mouse_px) * by)};
    return;
  }
  const ImVec2 dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right);
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Right) && dragged.x != 0) {
    look.visible = {chart.x.number(chart.plot.x0 - dragged.x),
                    chart.x.number(chart.plot.x1 - dragged.x)};
    ImGui::ResetMouseDragDelta(ImGuiMouseButton_Right);
    return;
  }
  constexpr float kLeastDragPx = 5;
  const float from_px = io.MouseClickedPos[ImGuiMouseButton_Left].x - corner.x;
  if (std::abs(mouse_px - from_px) < kLeastDragPx) return;
  if (ImGui::IsItemActive() && io.MouseDown[ImGuiMouseButton_Left]) {
    const float low = std::clamp(std::min(mouse_px, from_px), chart.plot.x0, chart.plot.x1);
    const float high = std::clamp(std::max(mouse_px, from_px), chart.plot.x0, chart.plot.x1);
    ImGui::GetWindowDrawList()->AddRectFilled({corner.x + low, corner.y + chart.plot.y0},
                                              {corner.x + high, corner.y + chart.plot.y1},
                                              to_u32(ui.palette().accent.with_alpha(0.25)));
  } else if (ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) {
    const render::NumberRange range = range_between(chart, from_px, mouse_px);
    if (range.first < range.last) look.visible = range;
  }
}

}  // namespace tideline::ui
