
#include <nlohmann/json.hpp>

#include "app/cli/json_number.h"
#include "app/cli/log_options.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/events/hparams.h"

namespace tideline::cli {
namespace {

using events::HparamsTable;
using nlohmann::ordered_json;

ordered_json hparam_json(const events::HparamValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
  if (const auto* choice = std::get_if<bool>(&value)) return *choice;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

ordered_json row_json(const HparamsTable& table, const HparamsTable::Row& row) {
  ordered_json hparams = ordered_json::object();
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (row.values[i].index() != 0) hparams[table.names[i]] = hparam_json(row.values[i]);
  }
  ordered_json metrics = ordered_json::object();
  for (std::size_t i = 0; i < table.metrics.size(); ++i) {
    const auto& metric = row.metrics[i];
    if (!metric) continue;
    metrics[events::metric_name(table.metrics[i])] = {{"value", json_number(metric->value)},
                                                      {"step", metric->step}};
  }
  return {{"run", row.run},
          {"status", row.status},
          {"hparams", std::move(hparams)},
          {"metrics", std::move(metrics)}};
}

void print_json(const HparamsTable& table) {
  ordered_json json;
  json["hparams"] = table.names;
  json["metrics"] = ordered_json::array();
  for (const auto& metric : table.metrics) {
    json["metrics"].push_back(
        {{"name", events::metric_name(metric)}, {"group", metric.group}, {"tag", metric.tag}});
  }
  json["runs"] = ordered_json::array();
  for (const HparamsTable::Row& row : table.rows) json["runs"].push_back(row_json(table, row));
  json["left_out"] = table.left_out;
  say_json(json);
}

void print_line(bool is_csv, const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) {
    if (&cell != cells.data()) text += is_csv ? "," : "\t";
    text += is_csv ? csv_field(cell) : printable(cell, std::string::npos);
  }
  say("{}\n", Lines{text});
}

// Rows of runs and columns of metrics that are wanted.
HparamsTable wanted_part(HparamsTable table, const app::LogWish& wish) {
  std::erase_if(table.rows, [&](const auto& row) { return !wish.wants_run(row.run); });
  for (std::size_t i = table.metrics.size(); i-- > 0;) {
    if (wish.wants_tag(table.metrics[i].tag)) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    table.metrics.erase(table.metrics.begin() + at);
    for (HparamsTable::Row& row : table.rows) row.metrics.erase(row.metrics.begin() + at);
  }
  return table;
}

}  // namespace

Status print_log_hparams(const LogOptions& options, const app::LogWish& wish,
                         const events::EventLog& log) {
  const HparamsTable all = events::hparams_table(log, wish.steps.first, wish.steps.last);
  const bool had_rows = !all.rows.empty();
  const HparamsTable table = wanted_part(all, wish);
  if (had_rows && table.rows.empty()) {
    return fail(Code::kNotFound, "--run '{}' matches none of the runs with hyperparameters",
                printable(wish.run->text()));
  }
  if (options.json) {
    print_json(table);
    return {};
  }
  if (table.rows.empty() && !options.csv) return {};
  std::vector<std::string> head = {"run", "status"};
  head.insert(head.end(), table.names.begin(), table.names.end());
  for (const auto& metric : table.metrics) head.push_back(events::metric_name(metric));
  print_line(options.csv, head);
  for (const HparamsTable::Row& row : table.rows) {
    std::vector<std::string> cells = {row.run, row.status};
    for (const auto& value : row.values) cells.push_back(events::hparam_text(value));
    for (const auto& metric : row.metrics) {
      cells.push_back(metric ? text_number(metric->value) : std::string());
    }
    print_line(options.csv, cells);
  }
  if (table.left_out > 0) {
    complain(
        "tideline: note: {} runs, hyperparameters or metrics beyond the limits of {} runs and "
        "{} columns were left out\n",
        table.left_out, events::kMostHparamRuns, events::kMostHparamColumns);
  }
  return {};
}

}  // namespace tideline::cli
