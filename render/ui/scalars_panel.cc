// The charts of a log's scalars, in columns, by the first part of their tags.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/view_cache.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr float kLeastChartPx = 330;
constexpr float kChartPx = 230;
constexpr float kGapPx = 8;
constexpr double kZoomAStep = 1.25;
constexpr std::size_t kMostHits = 20;

std::string_view group_of(std::string_view tag) {
  const std::size_t slash = tag.find('/');
  return slash == std::string_view::npos ? std::string_view() : tag.substr(0, slash);
}

// The visible part of the axis of a chart between two places on it.
render::NumberRange range_between(const render::ScalarChart& chart, float a_px, float b_px) {
  const double a = chart.x.number(std::clamp(a_px, chart.plot.x0, chart.plot.x1));
  const double b = chart.x.number(std::clamp(b_px, chart.plot.x0, chart.plot.x1));
  return {std::min(a, b), std::max(a, b)};
}

// Zooms and pans; places are relative to the chart.
void take_mouse(Ui& ui, const render::ScalarChart& chart, render::Point corner) {
  const ImGuiIO& io = ImGui::GetIO();
  render::ScalarLook& look = ui.view.log.look;
  const float mouse_px = io.MousePos.x - corner.x;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    look.visible = {};
    return;
  }
  if (ImGui::IsItemHovered() && io.KeyCtrl && io.MouseWheel != 0) {
    const auto by = static_cast<float>(std::pow(kZoomAStep, -io.MouseWheel));
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

void draw_hits(Ui& ui, render::Canvas& canvas, const render::ScalarChart& chart,
               const std::vector<render::RunCurve>& curves, render::Point corner) {
  const auto hits = render::hit_scalars(curves, chart, ImGui::GetIO().MousePos.x - corner.x);
  if (hits.empty()) return;
  render::draw_scalar_hits(canvas, ui.palette(), chart, corner, hits);
  ImGui::BeginTooltip();
  for (std::size_t i = 0; i < std::min(hits.size(), kMostHits); ++i) {
    const auto own = std::find_if(curves.begin(), curves.end(), [&](const render::RunCurve& run) {
      return run.number == hits[i].number;
    });
    const std::string text = render::hit_text(hits[i], chart.look, own->curve.begin_s);
    ImGui::TextColored(to_vec4(render::run_color(ui.palette(), hits[i].number)), "%s",
                       text.c_str());
    if (i == 0) ui.view.tooltip = text;
  }
  if (hits.size() > kMostHits) {
    ImGui::TextUnformatted(fmt::format("and {} more runs", hits.size() - kMostHits).c_str());
  }
  ImGui::EndTooltip();
}

void draw_chart(Ui& ui, std::uint32_t tag, float width_px, float height_px) {
  const std::string& name = ui.model.log->tags[tag].name;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(tag));
  ImGui::InvisibleButton("chart", {width_px, height_px},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  ImGui::PopID();
  if (!ImGui::IsItemVisible()) return;
  ui.widgets.remember(name);
  const render::Point corner = {at.x, at.y};
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  LogCharts& charts = ui.cache.log_charts();
  const render::ScalarChart* chart =
      charts.chart(tag, ui.view.log.look, width_px, height_px, ImGui::GetFontSize());
  if (chart == nullptr) {
    canvas.fill({at.x, at.y, at.x + width_px, at.y + height_px}, ui.palette().panel, 0);
    return;
  }
  const bool is_hovered = ImGui::IsItemHovered();
  render::draw_scalars(canvas, ui.palette(), *chart, corner, printable(name, 400));
  take_mouse(ui, *chart, corner);
  if (is_hovered && !ImGui::IsItemActive()) {
    draw_hits(ui, canvas, *chart, charts.curves(tag), corner);
  }
}

void draw_empty(Ui& ui) {
  const bool has_filter = !ui.view.log.tag_filter.empty() || !ui.view.log.run_filter.empty() ||
                          !ui.view.log.hidden_runs.empty();
  empty_state(ui, has_filter ? "No tag of scalars matches the filters and the chosen runs."
                             : "There are no scalars in this log.");
}

}  // namespace

void draw_scalars_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("scalars");
  const std::vector<std::uint32_t> tags =
      ui.cache.log_charts().tags_of(events::SeriesKind::kScalar);
  if (tags.empty()) return draw_empty(ui);
  const float gap = ui.px(kGapPx);
  const float room = ImGui::GetContentRegionAvail().x;
  const float unit = ui.view.scale * std::max(1.0F, ui.view.font_px / 15);
  const int columns = std::max(1, static_cast<int>((room + gap) / (kLeastChartPx * unit + gap)));
  const float width = std::max(1.0F, std::floor((room - gap * static_cast<float>(columns - 1)) /
                                                static_cast<float>(columns)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  int column = 0;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::string_view name = ui.model.log->tags[tags[i]].name;
    const bool is_new_group =
        i == 0 || group_of(name) != group_of(ui.model.log->tags[tags[i - 1]].name);
    if (is_new_group && !group_of(name).empty()) {
      heading(ui, printable(group_of(name), 200).c_str());
    }
    if (is_new_group) column = 0;
    if (column > 0) ImGui::SameLine();
    draw_chart(ui, tags[i], width, kChartPx * unit);
    column = (column + 1) % columns;
  }
  ImGui::PopStyleVar();
}

}  // namespace tideline::ui
