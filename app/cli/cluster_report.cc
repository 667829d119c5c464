#include "app/cli/cluster_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/terminal.h"
#include "core/base/counted.h"
#include "core/base/units.h"

namespace tideline::cli {
namespace {

constexpr std::size_t kShownTensors = 3;
using SentKinds = std::map<std::string, Bytes>;

// What one device sends to another.
struct SentPair {
  const ClusterDevice* from = nullptr;
  const ClusterDevice* to = nullptr;
  Bytes bytes = 0;
  SentKinds kinds = {};
  std::vector<std::size_t> tensors = {};  // of ClusterStep::sent, the largest first
};

std::vector<SentPair> pairs_of(const ClusterReport& report) {
  std::vector<SentPair> pairs;
  const auto& devices = report.step.placement.devices;
  for (std::size_t at = 0; at < report.step.sent.size(); ++at) {
    const SentTensor& sent = report.step.sent[at];
    const ClusterDevice* from = &devices[sent.from];
    const ClusterDevice* to = &devices[sent.to];
    if (pairs.empty() || pairs.back().from != from || pairs.back().to != to) {
      pairs.push_back({from, to});
    }
    SentPair& pair = pairs.back();
    pair.bytes += sent.bytes;
    pair.kinds[app::sent_kind(report.graph, report.step.graph, sent)] += sent.bytes;
    pair.tensors.push_back(at);
  }
  for (SentPair& pair : pairs) {
    const auto& sent = report.step.sent;
    std::stable_sort(
        pair.tensors.begin(), pair.tensors.end(),
        [&](std::size_t one, std::size_t other) { return sent[one].bytes > sent[other].bytes; });
  }
  return pairs;
}

// Of the pairs, those whose devices are of several tasks: on one task nothing is sent.
Bytes bytes_between_tasks(const std::vector<SentPair>& pairs) {
  Bytes bytes = 0;
  for (const SentPair& pair : pairs) {
    if (pair.from->task != pair.to->task) bytes += pair.bytes;
  }
  return bytes;
}

std::string peak_op(const ClusterReport& report, const MemoryTimeline& timeline) {
  if (timeline.peak_step < 0) return "";
  const OpId op = timeline.schedule[static_cast<std::size_t>(timeline.peak_step)];
  return std::string(report.graph.graph().name(op));
}

// How all devices run the step; they differ in the executor.
RunModel run_of_all(const app::ClusterStep& step) {
  RunModel run = step.graph.run;
  run.executor = Executor::kByDevices;
  return run;
}

std::string kinds_text(const SentKinds& kinds) {
  std::string text;
  for (const auto& [kind, bytes] : kinds) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind, format_bytes(bytes));
  }
  return text;
}

}  // namespace

void print_cluster_text(const ClusterReport& report) {
  const app::ClusterStep& step = report.step;
  const std::string how = run_text(run_of_all(step));
  say("{}: faithful model, a step{}{} on a cluster\n", report.path, how.empty() ? "" : " ", how);
  for (const app::ClusterDeviceStep& one : step.devices) {
    say("  {}: peak {}, of it resident {}; {}{}\n", step.placement.devices[one.device].name,
        format_bytes(one.timeline.device_peak), format_bytes(one.timeline.resident_bytes),
        counted(one.ops, "op"),
        one.timeline.peak_step < 0 ? "" : fmt::format(", at {}", peak_op(report, one.timeline)));
  }
  const std::vector<SentPair> pairs = pairs_of(report);
  say("  sent between tasks in a step: {}\n", format_bytes(bytes_between_tasks(pairs)));
  for (const SentPair& pair : pairs) {
    if (pair.bytes == 0) continue;
    say("  {} -> {}: {} in {} ({})\n", pair.from->name, pair.to->name, format_bytes(pair.bytes),
        counted(pair.tensors.size(), "tensor"), kinds_text(pair.kinds));
    for (std::size_t i = 0; i < std::min(kShownTensors, pair.tensors.size()); ++i) {
      const SentTensor& sent = step.sent[pair.tensors[i]];
      if (sent.bytes == 0) continue;
      say("    {:>12} {}{}\n", format_bytes(sent.bytes),
          report.graph.graph().tensor_name(sent.tensor),
          step.is_guessed[pair.tensors[i]] ? ", of a shape that is not known" : "");
    }
  }
}

void print_cluster_json(const ClusterReport& report) {
  using Json = nlohmann::ordered_json;
  const app::ClusterStep& step = report.step;
  Json json;
  json["model"] = "faithful";
  for (const auto& [key, value] : run_members(run_of_all(step))) json[key] = value;
  json["devices"] = Json::array();
  for (const app::ClusterDeviceStep& one : step.devices) {
    json["devices"].push_back({{"device", step.placement.devices[one.device].name},
                               {"device_peak_bytes", one.timeline.device_peak},
                               {"resident_bytes", one.timeline.resident_bytes},
                               {"ops", one.ops},
                               {"peak_level", one.timeline.peak_level},
                               {"peak_op", peak_op(report, one.timeline)}});
  }
  const std::vector<SentPair> pairs = pairs_of(report);
  json["bytes_between_tasks"] = bytes_between_tasks(pairs);
  json["sent"] = Json::array();
  for (const SentPair& pair : pairs) {
    Json tensors = Json::array();
    for (const std::size_t at : pair.tensors) {
      const SentTensor& sent = step.sent[at];
      tensors.push_back({{"tensor", report.graph.graph().tensor_name(sent.tensor)},
                         {"bytes", sent.bytes},
                         {"is_guessed", static_cast<bool>(step.is_guessed[at])},
                         {"kind", app::sent_kind(report.graph, step.graph, sent)}});
    }
    json["sent"].push_back({{"from", pair.from->name},
                            {"to", pair.to->name},
                            {"bytes", pair.bytes},
                            {"by_kind", pair.kinds},
                            {"tensors", std::move(tensors)}});
  }
  say_json(json);
}

}  // namespace tideline::cli
