// The charts of a log's scalars, in columns, by the first part of their tags.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_grid.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostHits = 20;

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
  take_chart_mouse(ui, *chart, corner);
  if (is_hovered && !ImGui::IsItemActive()) {
    draw_hits(ui, canvas, *chart, charts.curves(tag), corner);
  }
}

}  // namespace

void draw_scalars_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("scalars");
  const std::vector<std::uint32_t> tags =
      ui.cache.log_charts().tags_of(events::SeriesKind::kScalar);
  if (tags.empty()) return draw_empty_page(ui, "scalars");
  ChartGrid grid(ui);
  for (const std::uint32_t tag : tags) {
    grid.next(ui.model.log->tags[tag].name);
    draw_chart(ui, tag, grid.width_px(), grid.height_px());
  }
}

}  // namespace tideline::ui
