// The charts of a log's scalars, in columns, by the first part of their tags.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/log_page.h"
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

// The right button, pressed and let go in one place, enlarges a chart; held, it moves the axis.
void take_chart_click(Ui& ui, const std::string& tag) {
  constexpr float kMostMovedPx = 3;
  const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right, 0);
  const bool stands = std::abs(moved.x) < kMostMovedPx && std::abs(moved.y) < kMostMovedPx;
  if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right) && stands) {
    const bool is_enlarged = ui.view.log.enlarged == tag;
    is_enlarged ? ui.ask("log.enlarge") : ui.ask("log.enlarge", tag);
  }
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
  take_chart_click(ui, name);
  if (is_hovered && !ImGui::IsItemActive()) {
    draw_hits(ui, canvas, *chart, charts.curves(tag), corner);
  }
}

}  // namespace

// One chart with the page for itself, and what can be written of it.
static void draw_enlarged(Ui& ui, std::uint32_t tag) {
  LogView& view = ui.view.log;
  if (ui.widgets.button("All charts")) ui.ask("log.enlarge");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::max(ui.px(120), ImGui::GetContentRegionAvail().x - ui.px(220)));
  const bool is_entered =
      ui.widgets.input("##path", "write to FILE.png, .svg or .csv", &view.chart_path, true);
  ImGui::SameLine();
  const bool can_write = !view.chart_path.empty();
  const bool is_asked = ui.widgets.button("Write", 0, can_write) || (is_entered && can_write);
  ImGui::SameLine();
  ui.widgets.checkbox("replace", &view.replaces_chart);
  if (is_asked) {
    ui.ask("log.write-chart", view.chart_path);
    if (view.replaces_chart) ui.intents.back().arguments.emplace_back("force");
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float names_px = 3 * ImGui::GetFontSize();
  draw_chart(ui, tag, room.x, std::max(room.y - names_px, 4 * ImGui::GetFontSize()));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts);
  render::draw_run_names(canvas, ui.palette(), ui.cache.log_charts().curves(tag),
                         {at.x, at.y, at.x + room.x, at.y + names_px}, ImGui::GetFontSize());
}

void draw_scalars_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("scalars");
  const std::vector<std::uint32_t> tags =
      ui.cache.log_charts().tags_of(events::SeriesKind::kScalar);
  if (tags.empty()) return draw_empty_page(ui, "scalars");
  const auto enlarged = shown_tag(ui.cache.log_charts(), *ui.model.log, events::SeriesKind::kScalar,
                                  ui.view.log.enlarged);
  if (enlarged) return draw_enlarged(ui, *enlarged);
  ChartGrid grid(ui);
  for (const std::uint32_t tag : tags) {
    grid.next(ui.model.log->tags[tag].name);
    draw_chart(ui, tag, grid.width_px(), grid.height_px());
  }
}

}  // namespace tideline::ui
