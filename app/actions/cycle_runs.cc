// Tested by unit/actions/cycle_runs_test.cc.
#include "app/actions/cycle_runs.h"

#include <nlohmann/json.hpp>

namespace tideline::app {
namespace {

using nlohmann::ordered_json;

void take_peak(const ordered_json& predicted, ui::RunRow& row) {
  row.peak = predicted.value("device_peak_bytes", Bytes{0});
  row.resident = predicted.value("resident_bytes", Bytes{0});
}

}  // namespace

std::vector<ui::RunRow> cycle_runs(const Snapshot& snapshot) {
  std::vector<ui::RunRow> rows;
  const Graph& graph = snapshot.graph->graph();
  const RewritePlan& plan = snapshot.plan();
  const auto cycle = plan.cycle(graph);
  if (!cycle) return rows;
  ordered_json json = ordered_json::object();
  plan.report->add_json(graph, plan.edit, nullptr, json);
  for (const CycleRun& run : cycle->runs)
    rows.push_back({.name = run.name, .takes = run.feeds.size(), .keeps = run.keeps.size()});
  if (rows.empty() || !json.contains("predicted") || !json.contains("phases")) return rows;
  if (json["predicted"].contains("forward")) take_peak(json["predicted"]["forward"], rows.front());
  // The phases follow the forward run, in the order of the cycle.
  for (std::size_t i = 0; i < json["phases"].size() && i + 1 < rows.size(); ++i) {
    const ordered_json& phase = json["phases"][i];
    if (phase.contains("predicted")) take_peak(phase["predicted"], rows[i + 1]);
  }
  return rows;
}

}  // namespace tideline::app
