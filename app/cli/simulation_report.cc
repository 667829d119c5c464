#include "app/cli/simulation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/file_swaps.h"
#include "app/cli/line_json.h"
#include "app/cli/run_metadata.h"
#include "app/cli/terminal.h"
#include "app/cli/time_json.h"
#include "core/base/text.h"
#include "core/memory/level_memory.h"
#include "core/memory/step_time_text.h"
#include "core/memory/taken_branches.h"
#include "core/rewrite/plan/plan_json.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

class Names {
 public:
  Names(const Graph& graph, const Simulation& simulation)
      : graph_(graph), simulation_(simulation) {}

  [[nodiscard]] std::string op(OpId id) const {
    return simulation_.plan ? op_name(graph_, *simulation_.plan, id) : std::string(graph_.name(id));
  }
  [[nodiscard]] std::string tensor(TensorId id) const {
    return fmt::format("{}:{}", op(id.op), id.slot);
  }

 private:
  const Graph& graph_;
  const Simulation& simulation_;
};

// Why a tensor is there: its producer and its last reader.
std::string why(const Names& names, const MemoryTimeline& timeline, const LiveTensor& alive) {
  switch (alive.kind) {
    case MemoryKind::kVariable: return "variable, resident";
    case MemoryKind::kOptimizerSlot: return "optimizer slot, resident";
    case MemoryKind::kConstant: return "constant, resident";
    default: break;
  }
  const std::string made = alive.kind == MemoryKind::kSwapped
                               ? fmt::format("copied back at step {}", alive.from_step)
                               : fmt::format("first produced or read at step {}", alive.from_step);
  if (alive.values > 1) return fmt::format("{} values of other rounds of its loop", alive.values);
  if (!alive.last_reader.valid()) return made + ", not read any more";
  const auto to_step = static_cast<std::size_t>(alive.to_step);
  if (to_step + 1 == timeline.schedule.size() && timeline.schedule[to_step] != alive.last_reader) {
    // The caller holds what it feeds.
    return fmt::format("{}, last read by {}, held to the end of the step", made,
                       names.op(alive.last_reader));
  }
  return fmt::format("{}, last read by {} at step {}", made, names.op(alive.last_reader),
                     alive.to_step);
}

Json kinds_json(const MemoryTimeline& timeline) {
  Json json = Json::object();
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    json[std::string(memory_kind_name(static_cast<MemoryKind>(kind)))] =
        timeline.peak_by_kind[kind];
  }
  return json;
}

Json timeline_json(const Names& names, const MemoryTimeline& timeline) {
  Json json;
  json["device_peak_bytes"] = timeline.device_peak;
  json["host_peak_bytes"] = timeline.host_peak;
  json["peak_level"] = timeline.peak_level;
  json["peak_step"] = timeline.peak_step;
  json["peak_op"] = nullptr;
  if (timeline.peak_step >= 0) {
    json["peak_op"] = names.op(timeline.schedule[static_cast<std::size_t>(timeline.peak_step)]);
  }
  json["steps"] = timeline.schedule.size();
  json["resident_bytes"] = timeline.resident_bytes;
  json["largest_need_bytes"] = timeline.largest_need;
  json["swapped_out_tensors"] = timeline.swapped_out_tensors;
  json["swap_ins"] = timeline.swap_ins;
  json["bytes_out"] = timeline.bytes_out;
  json["bytes_in"] = timeline.bytes_in;
  json["memory_by_kind"] = kinds_json(timeline);
  return json;
}

// The rule that decided about each tensor; nothing without a policy.
template <typename Decisions>
Json decisions_json(const Graph& graph, const Decisions& decisions) {
  Json json = Json::array();
  for (const auto& decision : decisions) {
    json.push_back({{"tensor", graph.tensor_name(decision.tensor)},
                    {"bytes", decision.bytes},
                    {"why", decision.why}});
  }
  return json;
}

// The tensors that stay by reason, the most frequent first. A reason may name an op, so that there
// can be nearly as many of them as tensors; those beyond a limit are counted.
Json kept_json(const Graph& graph, std::span<const KeptTensor> kept) {
  constexpr std::size_t kReasons = 100;
  constexpr std::size_t kExamples = 3;
  struct Group {
    std::int64_t tensors = 0;
    std::int64_t bytes = 0;
    std::vector<TensorId> first;
  };
  std::map<std::string_view, Group> groups;
  std::int64_t bytes = 0;
  for (const KeptTensor& tensor : kept) {
    Group& group = groups[tensor.why];
    ++group.tensors;
    group.bytes += tensor.bytes;
    bytes += tensor.bytes;
    if (group.first.size() < kExamples) group.first.push_back(tensor.tensor);
  }
  std::vector<std::pair<std::string_view, Group>> sorted(groups.begin(), groups.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.tensors > b.second.tensors;
  });
  Json json = {{"tensors", kept.size()}, {"bytes", bytes}, {"reasons", Json::array()}};
  for (std::size_t i = 0; i < std::min(sorted.size(), kReasons); ++i) {
    const auto& [why, group] = sorted[i];
    Json first = Json::array();
    for (const TensorId tensor : group.first) first.push_back(graph.tensor_name(tensor));
    json["reasons"].push_back({{"why", std::string(why)},
                               {"tensors", group.tensors},
                               {"bytes", group.bytes},
                               {"first", std::move(first)}});
  }
  json["further_reasons"] = sorted.size() - std::min(sorted.size(), kReasons);
  return json;
}

// As decisions_json, with what each swap does for the peak.
Json swaps_json(const Graph& graph, const Simulation& simulation, const RewritePlan& plan) {
  Json json = decisions_json(graph, plan.swaps());
  for (std::size_t i = 0; i < simulation.effects.size(); ++i) {
    json[i]["at_peak"] = at_peak_name(simulation.effects[i].at_peak);
    json[i]["is_idle"] = simulation.effects[i].is_idle;
  }
  return json;
}

Json loops_json(const StepGraph& step) {
  Json json = Json::array();
  for (const LoopCount& loop : step.loops) {
    json.push_back({{"name", loop.name},
                    {"rounds", loop.rounds},
                    {"source", rounds_source_name(loop.source)}});
  }
  return json;
}

// None for a step as in the file, where both branches of each count.
Json conditionals_json(const Graph& graph, const StepGraph& step) {
  Json json = Json::array();
  for (std::size_t i = 0; i < step.taken.size(); ++i) {
    const Conditional& conditional = step.folding->conditionals[i];
    const TakenBranch& taken = step.taken[i];
    json.push_back({{"name", conditional.names.front()},
                    {"names", conditional.names},
                    {"predicate", graph.tensor_name(conditional.predicate)},
                    {"runs", taken.runs},
                    {"branch", branch_name(taken.takes)},
                    {"source", branch_source_name(taken.source)},
                    {"bytes", {{"true", taken.bytes[1]}, {"false", taken.bytes[0]}}}});
  }
  return json;
}

void print_loops(const std::vector<LoopCount>& loops) {
  for (const LoopCount& loop : loops) {
    const std::string name = printable(loop.name, 200);
    const auto say_rounds = [&](std::string_view source) {
      say("  loop {}: {} rounds, {}\n", name, loop.rounds, source);
    };
    if (!loop.follows.empty()) {
      if (loop.source != RoundsSource::kUnknown) say_rounds("as its forward loop");
      continue;
    }
    switch (loop.source) {
      case RoundsSource::kTraced: say_rounds("as in the traced step"); break;
      case RoundsSource::kGiven: say_rounds("as given"); break;
      case RoundsSource::kBounds: say_rounds("by its condition"); break;
      case RoundsSource::kUnknown:
        say("  loop {}: unknown rounds, counted as one; give them with --rounds {}=N\n", name,
            name);
        break;
    }
  }
}

}  // namespace

void print_json(const Graph& graph, const Simulation& simulation, bool every_tensor) {
  const Names names(graph, simulation);
  const MemoryTimeline& timeline = simulation.result();
  Json json;
  json["file"] = simulation.path;
  json["model"] = timeline.model;
  for (const auto& [key, value] : run_members(simulation.run_model)) json[key] = value;
  if (simulation.peak_in_file) json["peak_bytes_in_file"] = *simulation.peak_in_file;
  json["policy"] = simulation.policy;
  for (const app::PlannedPeak& part : simulation.parts) {
    const PeakParts& peak = part.after.value_or(part.before);
    json["parts"].push_back({{"name", part.name},
                             {"device_peak_bytes", peak.total()},
                             {"resident_bytes", peak.resident},
                             {"before_bytes", part.before.total()}});
  }
  if (!simulation.run_shown.empty()) json["shown"] = simulation.run_shown;
  json.update(timeline_json(names, timeline));
  json["alive_at_peak"] = Json::array();
  for (const LiveTensor& alive : timeline.alive_at_peak) {
    Json entry = {{"tensor", names.tensor(alive.tensor)}, {"bytes", alive.bytes}};
    entry["kind"] = memory_kind_name(alive.kind);
    entry["producer"] = names.op(alive.tensor.op);
    entry["last_reader"] = nullptr;
    if (alive.last_reader.valid()) entry["last_reader"] = names.op(alive.last_reader);
    entry["from_step"] = alive.from_step;
    entry["to_step"] = alive.to_step;
    entry["why"] = why(names, timeline, alive);
    add_line(simulation.line_of(alive.tensor), entry);
    json["alive_at_peak"].push_back(std::move(entry));
  }
  json["levels"] = Json::array();
  for (const LevelMemory& level : memory_by_level(timeline)) {
    json["levels"].push_back(
        {{"level", level.level}, {"device_bytes", level.device}, {"host_bytes", level.host}});
  }
  json["before"] = nullptr;
  if (simulation.after) json["before"] = timeline_json(names, simulation.before);
  json["time"] = nullptr;
  if (simulation.timing) {
    json["time"] =
        time_json([&](OpId op) { return names.op(op); }, *simulation.timing, *simulation.profile);
  }
  const RewritePlan none;
  const RewritePlan& plan = simulation.plan ? *simulation.plan : none;
  json["loops"] = simulation.step ? loops_json(simulation.step->graph) : Json::array();
  json["conditionals"] =
      simulation.step ? conditionals_json(graph, simulation.step->graph) : Json::array();
  json["swaps"] = swaps_json(graph, simulation, plan);
  if (!simulation.copies.empty()) {
    json["file_swaps"] = file_swaps_json(graph, simulation.tensors, simulation.copies);
  }
  const IdleSwaps idle = idle_swaps(simulation.effects);
  json["idle_swaps"] = idle.count;
  json["idle_swap_bytes"] = idle.bytes;
  const auto kept = plan.report ? plan.report->kept() : std::span<const KeptTensor>();
  json["kept"] = kept_json(graph, kept);
  if (every_tensor) json["not_swapped"] = decisions_json(graph, kept);
  json["unknown_size_tensors"] = simulation.unknown_sizes;
  json["contradicted_shapes"] = simulation.contradicted_shapes;
  json["warnings"] = warnings_json(simulation.warnings);
  json["measured"] = nullptr;
  if (simulation.run) json["measured"] = run_json(*simulation.run, simulation.before);
  say_json(json);
}

namespace {

void print_time(const Simulation& simulation) {
  const TimeReport& timing = *simulation.timing;
  const std::string range = range_text(timing);
  say("  {}{}{}\n", step_text(timing, simulation.after.has_value()), range.empty() ? "" : ", ",
      range);
  if (simulation.after || !simulation.copies.empty()) {
    say("  {}\n", copies_text(timing.after));
    const std::string memory = memory_text(timing, simulation.result().device_peak);
    if (!memory.empty()) say("  {}\n", memory);
  }
  say("  {}\n", basis_text(timing.after, *simulation.profile));
}

void print_idle_swaps(const Graph& graph, const Simulation& simulation) {
  const IdleSwaps idle = idle_swaps(simulation.effects);
  if (idle.count == 0) return;
  say("  {}\n", idle_swaps_text(idle, simulation.effects.size()));
  std::string names;
  for (std::size_t i = 0; i < simulation.effects.size(); ++i) {
    if (!simulation.effects[i].is_idle) continue;
    names += (names.empty() ? "" : ",") + graph.tensor_name(simulation.plan->swaps()[i].tensor);
  }
  constexpr std::size_t kShortList = 1000;
  if (names.size() > kShortList) {
    say("    which ones: --json\n");
  } else {
    say("    to keep them{}: --keep-tensors {}\n",
        simulation.found.empty() ? "" : fmt::format(" with {}", simulation.found),
        printable(names, kShortList));
  }
}

void print_parts(const Simulation& simulation) {
  for (const app::PlannedPeak& part : simulation.parts) {
    say("  {}: device peak {}", printable(part.name, 200),
        peak_text(part.after.value_or(part.before)));
    if (part.after) say(", {} without swaps", format_bytes(part.before.total()));
    say("\n");
  }
  if (!simulation.run_shown.empty()) say("  of these the {}:\n", simulation.run_shown);
}

}  // namespace

void print_csv(const Graph& graph, const Simulation& simulation) {
  if (simulation.run) {
    print_run_csv(graph, *simulation.run);
    return;
  }
  const Names names(graph, simulation);
  const MemoryTimeline& timeline = simulation.result();
  say("step,level,op,device_bytes,host_bytes\n");
  for (std::size_t i = 0; i < timeline.schedule.size(); ++i) {
    say("{},{},{},{},{}\n", i, timeline.level[i], csv_field(names.op(timeline.schedule[i])),
        timeline.device[i], timeline.host[i]);
  }
}

void print_text(const Graph& graph, const Simulation& simulation) {
  const Names names(graph, simulation);
  const MemoryTimeline& timeline = simulation.result();
  const std::string run = run_text(simulation.run_model);
  say("{}: {} model{}{}, policy {}\n", simulation.path, timeline.model,
      run.empty() ? "" : ", a step ", run, simulation.policy);
  print_parts(simulation);
  const auto peak = [&](const char* what, const MemoryTimeline& of) {
    say("  {}: device peak {}", what, format_bytes(of.device_peak));
    if (of.peak_step >= 0) {
      say(" at level {}, step {} of {} ({})", of.peak_level, of.peak_step, of.schedule.size(),
          printable(names.op(of.schedule[static_cast<std::size_t>(of.peak_step)]), 200));
    }
    say(", host peak {}\n", format_bytes(of.host_peak));
  };
  const bool holds_swaps = !simulation.copies.empty();
  if (simulation.after) {
    peak(holds_swaps ? "without the policy" : "without swaps", simulation.before);
  }
  peak(simulation.after ? "with the policy" : "the step", timeline);
  if (simulation.peak_in_file) {
    say("  nothing folded and by level, as in the file: device peak {}\n",
        format_bytes(*simulation.peak_in_file));
  }
  if (holds_swaps) say("  {}\n", copies_in_file_text(simulation.copies));
  if (simulation.after || (holds_swaps && timeline.swap_ins > 0)) {
    say("  {} tensors swapped out ({}), {} swap-ins ({})\n", timeline.swapped_out_tensors,
        format_bytes(timeline.bytes_out), timeline.swap_ins, format_bytes(timeline.bytes_in));
  }
  if (timeline.model == "faithful") {
    say("  resident: {}; at the peak:", format_bytes(timeline.resident_bytes));
    for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
      if (timeline.peak_by_kind[kind] == 0) continue;
      say(" {} {}", memory_kind_name(static_cast<MemoryKind>(kind)),
          format_bytes(timeline.peak_by_kind[kind]));
    }
    say("\n");
  }
  if (simulation.timing) print_time(simulation);
  print_idle_swaps(graph, simulation);
  constexpr std::size_t kShown = 10;
  const auto& all = timeline.alive_at_peak;
  say("  {} tensors are alive at the peak, the largest:\n", all.size());
  for (const LiveTensor& alive : std::span(all).first(std::min(all.size(), kShown))) {
    const SourceLine* line = simulation.line_of(alive.tensor);
    say("    {:>12} {}: {}{}\n", format_bytes(alive.bytes),
        printable(names.tensor(alive.tensor), 200), printable(why(names, timeline, alive), 400),
        line == nullptr ? "" : ", made at " + line_in_function(*line));
  }
  if (simulation.step) {
    print_loops(simulation.step->graph.loops);
    const std::string taken = taken_text(simulation.step->graph);
    if (!taken.empty()) say("  {}\n", taken);
  }
  if (simulation.contradicted_shapes > 0) {
    say("  {} recorded shapes contradict those of TensorFlow 2.15, which count\n",
        simulation.contradicted_shapes);
  }
  if (simulation.unknown_sizes > 0) {
    say("  {} tensors have an unknown size, which was guessed{}\n", simulation.unknown_sizes,
        simulation.expected_sizes);
  }
  if (simulation.run) print_run_text(*simulation.run, simulation.before);
}

}  // namespace tideline::cli
