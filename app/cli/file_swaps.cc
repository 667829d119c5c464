// Tested by golden/cases/file_swaps.txt.
#include "app/cli/file_swaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/analysis/levels.h"
#include "core/base/units.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

Json names_json(const Graph& graph, const std::vector<OpId>& ops) {
  Json names = Json::array();
  for (const OpId op : ops) names.push_back(graph.name(op));
  return names;
}

std::string swap_text(const GraphFacts& facts, const TensorTable& tensors, const FileSwap& swap) {
  const Graph& graph = facts.graph();
  const LevelMap& levels = facts.levels();
  std::string text = fmt::format(
      "{} ({}) is swapped by this file: {} copies it to the host\n", graph.tensor_name(swap.tensor),
      format_bytes(tensors.bytes(swap.tensor)), graph.name(swap.swap_out));
  for (const FileSwapIn& swap_in : swap.swap_ins) {
    text += fmt::format("  {} copies it back for", graph.name(swap_in.copy));
    for (const OpId consumer : swap_in.consumers) text += fmt::format(" {}", graph.name(consumer));
    if (swap_in.waits_for.empty()) text += ", at any time";
    const char* separator = ", after ";
    for (const OpId after : swap_in.waits_for) {
      text += fmt::format("{}{} (level {})", separator, graph.name(after), levels.level(after));
      separator = " and ";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

Json file_swaps_json(const Graph& graph, const TensorTable& tensors, const SwapCopies& copies) {
  Json json = Json::array();
  for (const FileSwap& swap : copies.swaps) {
    Json swap_ins = Json::array();
    for (const FileSwapIn& swap_in : swap.swap_ins) {
      swap_ins.push_back({{"name", graph.name(swap_in.copy)},
                          {"consumers", names_json(graph, swap_in.consumers)},
                          {"after", names_json(graph, swap_in.waits_for)}});
    }
    json.push_back({{"tensor", graph.tensor_name(swap.tensor)},
                    {"bytes", tensors.bytes(swap.tensor)},
                    {"swap_out", graph.name(swap.swap_out)},
                    {"swap_ins", std::move(swap_ins)}});
  }
  return json;
}

std::string why_in_file(const GraphFacts& facts, const TensorTable& tensors, TensorId tensor) {
  const Graph& graph = facts.graph();
  const SwapCopies& copies = facts.copies();
  if (const FileSwap* swap = copies.of(tensor)) return swap_text(facts, tensors, *swap);
  if (!copies.contains(tensor.op)) return {};
  for (const FileSwap& swap : copies.swaps) {
    const bool is_out = swap.swap_out == tensor.op;
    const bool is_in = std::any_of(swap.swap_ins.begin(), swap.swap_ins.end(),
                                   [&](const FileSwapIn& in) { return in.copy == tensor.op; });
    if (!is_out && !is_in) continue;
    return fmt::format("{} is a copy of {}, {}\n", graph.tensor_name(tensor),
                       graph.tensor_name(swap.tensor), is_out ? "on the host" : "on its way back");
  }
  return {};
}

}  // namespace tideline::cli
