#include "app/cli/structure_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t count_of(const Structure& structure, Phase phase) {
  return structure.phases.count.at(static_cast<std::size_t>(phase));
}

std::int64_t count_of(const Structure& structure, VariableRole role) {
  return std::count_if(structure.variables.begin(), structure.variables.end(),
                       [&](const VariableUse& use) { return use.role == role; });
}

std::uint32_t deepest(const ScopeTree& tree) {
  std::uint32_t depth = 0;
  for (const Scope& scope : tree.scopes) depth = std::max(depth, scope.depth);
  return depth;
}

Json names(const Graph& graph, const std::vector<OpId>& ops) {
  Json list = Json::array();
  for (const OpId op : ops) list.push_back(graph.name(op));
  return list;
}

Json loops_json(const Graph& graph, const WhileFrames& loops) {
  Json list = Json::array();
  for (const WhileFrame& frame : loops.frames) {
    Json one = {{"name", frame.name}, {"depth", frame.depth}, {"ops", frame.op_count}};
    one["parent"] = nullptr;
    if (frame.parent != WhileFrame::kNone) one["parent"] = loops.frames[frame.parent].name;
    one["parallel_iterations"] = frame.parallel_iterations;
    one["condition"] = nullptr;
    if (frame.condition.valid()) one["condition"] = graph.name(frame.condition);
    one["phase"] = phase_name(frame.phase);
    one["forward"] = nullptr;
    if (frame.forward != WhileFrame::kNone) one["forward"] = loops.frames[frame.forward].name;
    one["enter"] = frame.enters.size();
    one["merge"] = frame.merges.size();
    one["switch"] = frame.switches.size();
    one["next_iteration"] = frame.next_iterations.size();
    one["exit"] = frame.exits.size();
    list.push_back(std::move(one));
  }
  return list;
}

Json conditionals_json(const Graph& graph, const Structure& structure) {
  Json list = Json::array();
  for (const Conditional& one : structure.conditionals) {
    list.push_back({{"predicate", graph.tensor_name(one.predicate)},
                    {"switches", one.switches.size()},
                    {"merges", names(graph, one.merges)},
                    {"true_ops", one.branches[1].size()},
                    {"false_ops", one.branches[0].size()}});
  }
  return list;
}

Json variables_json(const Graph& graph, const Structure& structure) {
  Json list = Json::array();
  for (const VariableUse& use : structure.variables) {
    list.push_back({{"name", graph.name(use.variable)},
                    {"role", role_name(use.role)},
                    {"reads", use.reads.size()},
                    {"assigns", use.assigns.size()},
                    {"updates", names(graph, use.updates)},
                    {"slots", names(graph, use.slots)}});
  }
  return list;
}

Json series_json(const Structure& structure) {
  Json list = Json::array();
  for (const tideline::Series& series : structure.series) {
    if (!series.of_scopes()) continue;
    list.push_back({{"parent", structure.scopes.scopes[series.parent].path},
                    {"stem", series.stem},
                    {"members", series.members.size()}});
  }
  return list;
}

}  // namespace

std::string structure_text(const Graph& graph, const Structure& structure) {
  std::string text =
      fmt::format("  phases: {} forward, {} backward, {} update, {} other\n",
                  count_of(structure, Phase::kForward), count_of(structure, Phase::kBackward),
                  count_of(structure, Phase::kUpdate), count_of(structure, Phase::kOther));
  text += fmt::format(
      "  {} variables: {} trainable, {} slots, {} shared, {} model, {} other\n",
      structure.variables.size(), count_of(structure, VariableRole::kTrainable),
      count_of(structure, VariableRole::kSlot), count_of(structure, VariableRole::kShared),
      count_of(structure, VariableRole::kModel), count_of(structure, VariableRole::kOther));
  if (!structure.loops.frames.empty()) {
    text += fmt::format("  {} while loops:", structure.loops.frames.size());
    for (const WhileFrame& frame : structure.loops.frames) {
      text += fmt::format(" {} ({}, {} ops)", printable(frame.name, 200), phase_name(frame.phase),
                          frame.op_count);
    }
    text += "\n";
  }
  if (!structure.conditionals.empty()) {
    text +=
        fmt::format("  {} conditionals, first on {}\n", structure.conditionals.size(),
                    printable(graph.tensor_name(structure.conditionals.front().predicate), 200));
  }
  if (!structure.calls.empty()) {
    text += fmt::format("  {} calls of functions, first {}\n", structure.calls.size(),
                        printable(graph.name(structure.calls.front()), 200));
  }
  text += fmt::format("  {} scopes, {} deep, {} series\n", structure.scopes.scopes.size() - 1,
                      deepest(structure.scopes), structure.series.size());
  return text;
}

Json structure_json(const Graph& graph, const Structure& structure) {
  Json json;
  for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate, Phase::kOther}) {
    json["phases"][phase_name(phase)] = count_of(structure, phase);
  }
  json["while_frames"] = loops_json(graph, structure.loops);
  json["conditionals"] = conditionals_json(graph, structure);
  json["calls"] = names(graph, structure.calls);
  json["variables"] = variables_json(graph, structure);
  json["scopes"] = {{"count", structure.scopes.scopes.size() - 1},
                    {"deepest", deepest(structure.scopes)}};
  json["series"] = series_json(structure);
  return json;
}

}  // namespace tideline::cli
