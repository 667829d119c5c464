// Tested by unit/rewrite/replicate/options_test.cc and the golden case replicate.
#include "core/rewrite/replicate/report_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/counted.h"

namespace tideline::replicate {
namespace {

// "on /device:GPU:1", or how many ops are where.
std::string place_of(const Tower& tower) {
  if (tower.kept.empty() && tower.beside_variables == 0) return "on " + tower.device;
  std::string place = fmt::format("on {}: {}", tower.device, counted(tower.ops_on_device, "op"));
  for (const auto& [device, ops] : tower.kept)
    place += fmt::format("; on {}, which the graph names: {}", device, counted(ops, "op"));
  if (tower.beside_variables > 0)
    place += fmt::format("; beside variables: {}", counted(tower.beside_variables, "op"));
  return place;
}

// The one with the most ops.
std::string main_device(const Tower& tower) {
  std::string device = tower.device;
  std::int64_t most = tower.ops_on_device;
  for (const auto& [other, ops] : tower.kept) {
    if (ops > most) device = other;
    most = std::max(most, ops);
  }
  return device;
}

}  // namespace

void TowerReport::add_json(const Graph&, const GraphPlan&, const PlanPrediction*,
                           nlohmann::ordered_json& json) const {
  using Json = nlohmann::ordered_json;
  if (!report_.loss.empty()) json["loss"] = report_.loss;
  if (!report_.train_op.empty()) json["train_op"] = report_.train_op;
  json["parameter_device"] = report_.parameter_device;
  for (const VariableDevice& one : report_.variable_devices) {
    json["variable_devices"].push_back(
        {{"device", one.device}, {"variables", one.variables}, {"bytes", one.bytes}});
  }
  Json towers = Json::array();
  for (std::size_t i = 0; i < report_.towers.size(); ++i) {
    const Tower& tower = report_.towers[i];
    towers.push_back({{"index", i}, {"device", tower.device}, {"prefix", tower.prefix}});
    if (!tower.kept.empty()) towers.back()["kept"] = tower.kept;
  }
  json["towers"] = std::move(towers);
  json["split"] = Json::object();
  for (const auto& [tensor, parts] : report_.split) json["split"][tensor] = parts;
  json["aggregated"] = report_.aggregated;
  json["aggregated_indices"] = report_.aggregated_indices;
  json["moving_averages"] = report_.moving_averages;
  json["predictions"] = report_.predictions;
  Json metrics = Json::object();
  for (const auto& [name, value] : report_.metric_values) {
    metrics[name] = {{"value", value}, {"update", report_.metric_update}};
  }
  json["metrics"] = std::move(metrics);
  if (!report_.metric_update.empty()) json["metric_update"] = report_.metric_update;
  json["init_ops"] = report_.init_ops;
}

std::vector<std::string> TowerReport::lines(const Graph&, const GraphPlan&) const {
  std::vector<std::string> lines;
  const std::size_t spread = report_.variable_devices.size();
  lines.push_back(fmt::format("{} of {}, variables on {}", counted(report_.towers.size(), "tower"),
                              counted(report_.replicated_ops, "op"),
                              spread == 0 ? report_.parameter_device : counted(spread, "device")));
  for (const VariableDevice& one : report_.variable_devices) {
    lines.push_back(fmt::format("  {} of {} on {}", counted(one.variables, "variable"),
                                format_bytes(one.bytes), one.device));
  }
  for (const Tower& tower : report_.towers) {
    lines.push_back(
        fmt::format("  {} {}", tower.prefix.empty() ? "the ops of the graph" : tower.prefix + "...",
                    place_of(tower)));
  }
  for (const auto& [tensor, parts] : report_.split) {
    lines.push_back(fmt::format("  {} is split along its first dimension", tensor));
  }
  if (!report_.train_op.empty()) {
    lines.push_back(fmt::format("  aggregated are the gradients of {}; of the update {} run once",
                                counted(report_.aggregated.size(), "variable"),
                                counted(report_.update_ops, "op")));
    lines.push_back(fmt::format("train with {}", report_.train_op));
  }
  if (!report_.loss.empty()) lines.push_back(fmt::format("the loss is {}", report_.loss));
  for (const auto& [key, tensor] : report_.predictions) {
    lines.push_back(fmt::format("prediction {} is {}", key, tensor));
  }
  if (!report_.metric_update.empty()) {
    lines.push_back(fmt::format("update the metrics with {}", report_.metric_update));
  }
  for (const std::string& op : report_.init_ops) {
    lines.push_back(fmt::format(
        "where the metrics of the first tower are restored, {} initializes those of the others",
        op));
  }
  return lines;
}

StepParts TowerReport::parts(const Graph& graph, const GraphPlan& plan) const {
  StepParts parts;
  for (std::size_t i = 0; i < report_.towers.size(); ++i) {
    parts.parts.push_back({fmt::format("tower {}", i), main_device(report_.towers[i])});
  }
  parts.part_of.assign(graph.op_count() + plan.added.size(), -1);
  for (std::size_t at = 0; at < plan.added.size(); ++at) {
    const AddedOp& op = plan.added[at];
    if (!op.copy_of.valid()) continue;
    for (std::size_t i = 1; i < report_.towers.size(); ++i) {
      if (!op.name.starts_with(report_.towers[i].prefix)) continue;
      parts.part_of[graph.op_count() + at] = static_cast<std::int32_t>(i);
      parts.part_of[op.copy_of.index()] = 0;
      break;
    }
  }
  return parts;
}

}  // namespace tideline::replicate
