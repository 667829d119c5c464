#include "app/cli/cluster_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/terminal.h"
#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/memory/step_time_text.h"

namespace tideline::cli {
namespace {

constexpr std::size_t kShownTensors = 3;
using Json = nlohmann::ordered_json;
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

// The task at the end of a link; empty for one that all others share.
std::string end_of_link(const ClusterReport& report, std::size_t task) {
  return task == NetworkLink::kAll ? "" : task_text(report.cluster.tasks[task]);
}

// "what /job:ps/task:0 sends".
std::string link_text(const ClusterReport& report, const NetworkLink& link) {
  const std::string from = end_of_link(report, link.from), to = end_of_link(report, link.to);
  if (to.empty()) return fmt::format("what {} sends", from);
  if (from.empty()) return fmt::format("what {} receives", to);
  return fmt::format("what {} sends to {}", from, to);
}

std::int64_t whole_ns(double ns) {
  constexpr double kMost = 9e18;
  return static_cast<std::int64_t>(std::min(ns, kMost));
}

std::string time_of(double ns) {
  return format_time(whole_ns(ns));
}

// "the busiest link, what /job:ps/task:0 sends, is busy for 9.5 ms", unless it is latency that
// takes most of the network's time.
std::string busiest_text(const ClusterReport& report, const NetworkLink& link) {
  const ClusterTime& time = report.step.time;
  if (2 * time.sending_alone_ns < time.network_alone_ns) return "most of that is latency";
  return fmt::format("the busiest link, {}, is busy for {}", link_text(report, link),
                     time_of(link.busy_ns));
}

// What limits the step is said of a step that the network is a part of.
void print_time(const ClusterReport& report) {
  const ClusterTime& time = report.step.time;
  const app::CostCounts& costs = report.step.costs;
  StepTime basis;
  basis.measured_ops = costs.measured;
  basis.assumed_ops = costs.assumed;
  basis.guessed_ops = costs.guessed;
  say("  a step takes {}; {}\n", time_of(time.step_ns), basis_text(basis, report.profile));
  if (const std::size_t loops = report.step.graph.loops.size(); loops > 0) {
    say("  times and what is sent are of one round of {}\n",
        loops == 1 ? "its loop" : fmt::format("each of its {} loops", loops));
  }
  const NetworkLink* busiest = time.busiest_link();
  if (busiest == nullptr) return;
  say("  without the network {}, the network alone {}: {}; {}\n", time_of(time.without_network_ns),
      time_of(time.network_alone_ns),
      time.is_network_the_limit() ? "the network is the limit" : "the devices are the limit",
      busiest_text(report, *busiest));
}

// A trace of one process, or of another cluster.
void warn_of_other_devices(const ClusterReport& report) {
  if (!report.graph.measured) return;
  const auto& devices = report.step.devices;
  const bool has_any = std::any_of(devices.begin(), devices.end(),
                                   [](const app::ClusterDeviceStep& one) { return one.is_traced; });
  if (has_any) return;
  complain(
      "warning: the trace is of other devices than those of the cluster; its sizes and times are "
      "used, its memory is not compared\n");
}

// TensorFlow records no allocation for what a device receives, nor for what is fed.
std::string measured_text(const app::ClusterDeviceStep& one) {
  if (!one.measured_peak_of_own) return "";
  return fmt::format(
      "; measured {} where {} are simulated, both without what it receives "
      "or is fed",
      format_bytes(*one.measured_peak_of_own), format_bytes(one.peak_of_own));
}

Json measured_json(const app::ClusterDeviceStep& one) {
  return one.measured_peak_of_own ? Json(*one.measured_peak_of_own) : Json(nullptr);
}

Json end_json(const std::string& task) {
  return task.empty() ? Json(nullptr) : Json(task);
}

Json time_json(const ClusterReport& report) {
  const ClusterTime& time = report.step.time;
  Json links = Json::array();
  for (const NetworkLink& link : time.links) {
    links.push_back({{"from", end_json(end_of_link(report, link.from))},
                     {"to", end_json(end_of_link(report, link.to))},
                     {"bytes", link.bytes},
                     {"busy_ns", whole_ns(link.busy_ns)}});
  }
  return {{"profile", report.profile.name},
          {"step_ns", whole_ns(time.step_ns)},
          {"without_network_ns", whole_ns(time.without_network_ns)},
          {"network_alone_ns", whole_ns(time.network_alone_ns)},
          {"limit", time.is_network_the_limit() ? "network" : "devices"},
          {"measured_ops", report.step.costs.measured},
          {"assumed_ops", report.step.costs.assumed},
          {"guessed_ops", report.step.costs.guessed},
          {"links", std::move(links)}};
}

// All devices have the ops of the step in their schedules, wherever these run.
bool runs_in_step(const app::ClusterStep& step, OpId op) {
  if (step.devices.empty()) return false;
  const auto& schedule = step.devices.front().timeline.schedule;
  return std::find(schedule.begin(), schedule.end(), op) != schedule.end();
}

// Of a tensor that is sent nowhere. What devices elsewhere read all the same is a constant that
// they have as well (sent_tensors).
std::string_view unsent_text(const app::ClusterStep& step, TensorId tensor) {
  std::string_view text = "is read by no op of the step";
  const std::uint32_t index = step.graph.tensor(tensor);
  for (const OpId op : step.devices.front().timeline.schedule) {
    for (const StepInput& input : step.graph.inputs_of(op)) {
      if (input.tensor != index) continue;
      if (step.placement.device_of[op.index()] != step.placement.device_of[tensor.op.index()]) {
        return "is a small constant, of which each device that reads it has one";
      }
      text = "is read there alone";
    }
  }
  return text;
}

}  // namespace

void print_cluster_text(const ClusterReport& report) {
  warn_of_other_devices(report);
  const app::ClusterStep& step = report.step;
  const std::string how = run_text(run_of_all(step));
  say("{}: faithful model, a step on a cluster{}{}\n", report.path, how.empty() ? "" : ", ", how);
  for (const app::ClusterDeviceStep& one : step.devices) {
    say("  {}: peak {}, of it resident {}; {}{}{}\n", step.placement.devices[one.device].name,
        format_bytes(one.timeline.device_peak), format_bytes(one.timeline.resident_bytes),
        counted(one.ops, "op"),
        one.timeline.peak_step < 0 ? "" : fmt::format(", at {}", peak_op(report, one.timeline)),
        measured_text(one));
  }
  print_time(report);
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
  warn_of_other_devices(report);
  const app::ClusterStep& step = report.step;
  Json json;
  json["model"] = "faithful";
  for (const auto& [key, value] : run_members(run_of_all(step))) json[key] = value;
  json["devices"] = Json::array();
  for (const app::ClusterDeviceStep& one : step.devices) {
    json["devices"].push_back({{"device", step.placement.devices[one.device].name},
                               {"device_peak_bytes", one.timeline.device_peak},
                               {"resident_bytes", one.timeline.resident_bytes},
                               {"peak_of_own_bytes", one.peak_of_own},
                               {"measured_peak_of_own_bytes", measured_json(one)},
                               {"ops", one.ops},
                               {"busy_ns", whole_ns(step.time.busy_ns[one.device])},
                               {"peak_level", one.timeline.peak_level},
                               {"peak_op", peak_op(report, one.timeline)}});
  }
  json["time"] = time_json(report);
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

void print_on_cluster(const ClusterReport& report, OpId op, std::uint32_t first_slot,
                      std::uint32_t end_slot) {
  const app::ClusterStep& step = report.step;
  const Graph& graph = report.graph.graph();
  const bool runs = runs_in_step(step, op);
  say("{} {} {}\n", graph.name(op), runs ? "runs on" : "is not run in the step; it is on",
      step.placement.of(op).name);
  if (!runs) return;
  for (std::uint32_t slot = first_slot; slot < end_slot; ++slot) {
    const TensorId tensor{op, slot};
    bool is_sent = false;
    for (std::size_t at = 0; at < step.sent.size(); ++at) {
      const SentTensor& sent = step.sent[at];
      if (sent.tensor != tensor) continue;
      is_sent = true;
      say("  {} is sent to {}: {} ({}){}\n", graph.tensor_name(tensor),
          step.placement.devices[sent.to].name, format_bytes(sent.bytes),
          app::sent_kind(report.graph, step.graph, sent),
          step.is_guessed[at] ? ", of a shape that is not known" : "");
    }
    if (!is_sent) say("  {} {}\n", graph.tensor_name(tensor), unsent_text(step, tensor));
  }
}

}  // namespace tideline::cli
