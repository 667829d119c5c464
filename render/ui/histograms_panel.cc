// The charts of a log's histograms: ridges by step, or bands of percentiles over steps.
#include <fmt/format.h>
#include <imgui.h>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_grid.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

using render::Point;

std::string title_of_series(const Ui& ui, const LogCharts::Shown& shown) {
  const events::EventLog& log = *ui.model.log->events;
  const events::Series& series = log.series()[shown.series];
  return fmt::format("{} {}  {}", shown.number, printable(log.runs()[series.run], 200),
                     printable(series.tag, 400));
}

// The place of a chart as an item; false when none of it is visible.
bool take_place(Ui& ui, const LogCharts::Shown& shown, const ChartGrid& grid) {
  ImGui::PushID(static_cast<int>(shown.series));
  ImGui::InvisibleButton("chart", {grid.width_px(), grid.height_px()},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  ImGui::PopID();
  if (!ImGui::IsItemVisible()) return false;
  const events::EventLog& log = *ui.model.log->events;
  const events::Series& series = log.series()[shown.series];
  ui.widgets.remember(log.runs()[series.run] + "/" + series.tag);
  return true;
}

void draw_unready(const Ui& ui, render::Canvas& canvas, Point at, const ChartGrid& grid) {
  canvas.fill({at.x, at.y, at.x + grid.width_px(), at.y + grid.height_px()}, ui.palette().panel, 0);
}

Point mouse_in(Point corner) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {mouse.x - corner.x, mouse.y - corner.y};
}

void draw_ridges_of(Ui& ui, const LogCharts::Shown& shown, const ChartGrid& grid) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!take_place(ui, shown, grid)) return;
  const Point corner = {at.x, at.y};
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  const render::RidgeChart* chart =
      ui.cache.log_histograms().ridges(shown.series, ui.view.log.histograms, grid.width_px(),
                                       grid.height_px(), ImGui::GetFontSize());
  if (chart == nullptr) return draw_unready(ui, canvas, corner, grid);
  render::draw_ridges(canvas, ui.palette(), *chart, corner, title_of_series(ui, shown),
                      render::run_color(ui.palette(), shown.number));
  if (!ImGui::IsItemHovered()) return;
  const auto hit = render::hit_ridges(*chart, mouse_in(corner));
  if (!hit) return;
  render::draw_ridge_hit(canvas, ui.palette(), *chart, corner, *hit);
  ui.view.tooltip = render::ridge_hit_text(*chart, *hit);
  ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
}

void draw_bands_of(Ui& ui, const LogCharts::Shown& shown, const ChartGrid& grid) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!take_place(ui, shown, grid)) return;
  const Point corner = {at.x, at.y};
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  const render::BandChart* chart = ui.cache.log_histograms().bands(
      shown.series, ui.view.log.look, grid.width_px(), grid.height_px(), ImGui::GetFontSize());
  if (chart == nullptr) return draw_unready(ui, canvas, corner, grid);
  const bool is_hovered = ImGui::IsItemHovered();
  render::draw_bands(canvas, ui.palette(), *chart, corner, title_of_series(ui, shown),
                     render::run_color(ui.palette(), shown.number));
  take_chart_mouse(ui, *chart, corner);
  if (!is_hovered || ImGui::IsItemActive()) return;
  const auto column = render::hit_bands(*chart, mouse_in(corner).x);
  if (!column) return;
  render::draw_band_hit(canvas, ui.palette(), *chart, corner, *column);
  const std::vector<std::string> lines = render::band_hit_text(*chart, *column);
  ui.view.tooltip = fmt::format("{}", fmt::join(lines, "\n"));
  ImGui::SetTooltip("%s", ui.view.tooltip.c_str());
}

}  // namespace

void draw_histograms_panel(Ui& ui) {
  const bool has_bands = ui.view.log.page == LogPage::kDistributions;
  const Widgets::Group group = ui.widgets.group(has_bands ? "distributions" : "histograms");
  const auto all = ui.cache.log_charts().series_of(events::SeriesKind::kHistogram);
  if (all.empty()) return draw_empty_page(ui, "histograms");
  ChartGrid grid(ui);
  for (const LogCharts::Shown& shown : all) {
    grid.next(ui.model.log->tags[shown.tag].name);
    has_bands ? draw_bands_of(ui, shown, grid) : draw_ridges_of(ui, shown, grid);
  }
}

}  // namespace tideline::ui
