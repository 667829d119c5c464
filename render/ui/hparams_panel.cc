// The hyperparameters of the runs of a log and their metrics, as a table with a row for each run.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/events/hparams.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_grid.h"
#include "render/ui/panels.h"
#include "render/view/number_axis.h"

namespace tideline::ui {
namespace {

constexpr int kMostColumns = 60;  // Dear ImGui has 64
constexpr std::size_t kLongestCell = 200;
constexpr int kColumnsBefore = 2;  // run and status

// Names first of hyperparameters, then of metrics.
std::vector<std::string> column_names(const events::HparamsTable& table) {
  std::vector<std::string> names = table.names;
  for (const auto& metric : table.metrics) names.push_back(events::metric_name(metric));
  return names;
}

std::string cell_text(const events::HparamsTable& table, const events::HparamsTable::Row& row,
                      std::size_t column) {
  if (column < table.names.size()) return events::hparam_text(row.values[column]);
  const auto& metric = row.metrics[column - table.names.size()];
  return metric ? render::number_text(metric->value) : std::string();
}

void draw_cell(const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(printable(text, kLongestCell).c_str());
}

void draw_rows(Ui& ui, const events::HparamsTable& table,
               const std::vector<const events::HparamsTable::Row*>& rows, int columns) {
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const events::HparamsTable::Row& row = *rows[static_cast<std::size_t>(i)];
      ImGui::TableNextRow();
      draw_cell(row.run);
      ui.widgets.remember(row.run.c_str());
      draw_cell(row.status);
      for (int column = 0; column < columns; ++column) {
        draw_cell(cell_text(table, row, static_cast<std::size_t>(column)));
      }
    }
  }
}

}  // namespace

void draw_hparams_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("hparams");
  if (!ui.model.log->hparams || ui.model.log->hparams->rows.empty()) {
    return draw_empty_page(ui, "hyperparameters");
  }
  const events::HparamsTable& table = *ui.model.log->hparams;
  std::vector<const events::HparamsTable::Row*> rows;
  const std::vector<LogRun>& runs = ui.cache.log_charts().runs();  // by name
  for (const events::HparamsTable::Row& row : table.rows) {
    const auto run =
        std::lower_bound(runs.begin(), runs.end(), row.run,
                         [](const LogRun& a, const std::string& name) { return a.name < name; });
    if (run == runs.end() || run->name != row.run || run->is_shown) rows.push_back(&row);
  }
  const std::vector<std::string> names = column_names(table);
  const int columns = std::min(static_cast<int>(names.size()), kMostColumns);
  dim_text(ui, fmt::format("{} of {} runs with hyperparameters; metrics are the last values",
                           rows.size(), table.rows.size()));
  const std::size_t left_out = names.size() - static_cast<std::size_t>(columns);
  if (left_out > 0) {
    dim_text(ui, fmt::format("and {} more columns, which tideline log hparams prints", left_out));
  }
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                                     ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_ScrollX |
                                     ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable;
  if (!ImGui::BeginTable("hparams", kColumnsBefore + columns, kFlags)) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableSetupColumn("run");
  ImGui::TableSetupColumn("status");
  for (int i = 0; i < columns; ++i) {
    const std::string name = printable(names[static_cast<std::size_t>(i)], kLongestCell);
    ImGui::TableSetupColumn((name + "##" + std::to_string(i)).c_str());
  }
  ImGui::TableHeadersRow();
  draw_rows(ui, table, rows, columns);
  ImGui::EndTable();
}

}  // namespace tideline::ui
