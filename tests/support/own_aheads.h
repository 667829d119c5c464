// Overrides of single swap-ins in tests.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tideline::test {

/// Distances of 1 to 9 for about a third of the first outputs of ops; in half of the calls none.
inline std::vector<std::string> random_aheads(std::mt19937& random, const Graph& graph) {
  std::vector<std::string> texts;
  if (random() % 2 == 0) return texts;
  for (const OpId op : graph.ops()) {
    if (graph.type(op) == "NoOp" || random() % 3 != 0) continue;
    texts.push_back(std::string(graph.name(op)) + ":0=" + std::to_string(1 + random() % 9));
  }
  return texts;
}

/// The distance for `tensor` in such a list, else `usual`.
inline int own_ahead(const std::vector<std::string>& texts, const std::string& tensor, int usual) {
  for (const std::string& text : texts) {
    if (text.starts_with(tensor + "=")) return std::stoi(text.substr(tensor.size() + 1));
  }
  return usual;
}

}  // namespace tideline::test
