// The texts of a log: a card for each tag and run, with a list of its steps and the chosen text.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/parse_markdown.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_grid.h"
#include "render/ui/markdown_text.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"
#include "render/view/number_axis.h"

namespace tideline::ui {
namespace {

constexpr float kTextCardLines = 22;
constexpr int kMostListed = 6;

// The newest first. Only the rows that are visible are decoded.
void draw_steps(Ui& ui, std::uint32_t series, std::size_t chosen) {
  const auto& rows = ui.model.log->events->series()[series].rows;
  const auto listed = static_cast<float>(std::min<std::size_t>(rows.size(), kMostListed));
  const ImVec2 size = {0, ImGui::GetTextLineHeightWithSpacing() * (listed + 0.3F)};
  if (!ImGui::BeginTable("steps", 2, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg, size)) return;
  ImGui::TableSetupColumn("step", ImGuiTableColumnFlags_WidthFixed,
                          ImGui::CalcTextSize("88888888").x);
  ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t row = rows.size() - 1 - static_cast<std::size_t>(i);
      ImGui::PushID(i);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (ui.widgets.selectable(fmt::format("{}", rows[row].step).c_str(), row == chosen, true)) {
        ui.view.log.rows[series] = row;
      }
      ImGui::TableNextColumn();
      const ShownText& text = ui.cache.log_texts().row({series, row});
      ImGui::TextUnformatted(text.first_line.c_str());
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
}

// The first row is mostly a heading, but nothing says so.
void draw_text_table(const std::vector<std::vector<std::string>>& rows) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Borders | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_Resizable;
  const int columns = static_cast<int>(rows.front().size());
  if (!ImGui::BeginTable("table", columns, kFlags)) return;
  for (const std::vector<std::string>& row : rows) {
    ImGui::TableNextRow();
    for (const std::string& cell : row) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(cell.data(), cell.data() + cell.size());
    }
  }
  ImGui::EndTable();
}

void draw_whole_text(Ui& ui, LogRowKey key) {
  const events::ValueRow& row = ui.model.log->events->series()[key.series].rows[key.row];
  dim_text(ui, fmt::format("step {}, {}", row.step, render::wall_time_text(row.wall_time)));
  ImGui::SameLine();
  const bool is_raw = ui.view.log.is_raw_text;
  if (ui.widgets.link(is_raw ? "rendered" : "as written"))
    ui.ask("log.text", is_raw ? "rendered" : "raw");
  const ShownText& text = ui.cache.log_texts().row(key);
  if (!text.problem.empty()) colored_text(ui.palette().error, printable(text.problem, 500));
  ui.view.tooltip = text.first_line;
  if (!ui.view.log.is_raw_text) {
    draw_markdown(
        ui, ui.cache.log_markdown().row(key, text, ImGui::GetContentRegionAvail().x,
                                        ImGui::GetFontSize(), parse_markdown, measure_words(ui)));
  } else if (text.table.empty()) {
    ImGui::PushTextWrapPos(0);
    for (const std::string& line : text.lines) {
      ImGui::TextUnformatted(line.data(), line.data() + line.size());
    }
    ImGui::PopTextWrapPos();
  } else {
    draw_text_table(text.table);
  }
  if (text.left_out > 0) {
    dim_text(ui, fmt::format("and {} more bytes, which tideline log text prints", text.left_out));
  }
}

void draw_text_card(Ui& ui, const LogCharts::Shown& shown, float width_px) {
  const ImVec2 size = {width_px, ImGui::GetTextLineHeightWithSpacing() * kTextCardLines};
  if (!ImGui::IsRectVisible(size)) return ImGui::Dummy(size);
  const events::EventLog& log = *ui.model.log->events;
  const events::Series& series = log.series()[shown.series];
  const Widgets::Group group = ui.widgets.group(log.runs()[series.run] + "/" + series.tag);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec4(ui.palette().panel));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(3)});
  ImGui::BeginChild("card", size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::TextUnformatted(fitted(series.tag, width).c_str());
  draw_run_name(ui, shown.series, shown.number, width);
  if (!series.rows.empty()) {
    const std::size_t row = row_of(ui, shown.series);
    draw_steps(ui, shown.series, row);
    draw_whole_text(ui, {shown.series, row});
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_texts_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("texts");
  const auto all = ui.cache.log_charts().series_of(events::SeriesKind::kText);
  if (all.empty()) return draw_empty_page(ui, "texts");
  ChartGrid grid(ui);
  for (const LogCharts::Shown& shown : all) {
    grid.next(ui.model.log->tags[shown.tag].name);
    draw_text_card(ui, shown, grid.width_px());
  }
}

}  // namespace tideline::ui
