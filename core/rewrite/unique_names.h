// Names for the ops that a rewriter adds.
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/graph.h"

namespace tideline {

/// Gives out names that no op of the graph and no other added op has: "x", "x_1", "x_2", ...
/// Precondition: the graph outlives it. Cost: amortised O(1) a name.
class UniqueNames {
 public:
  explicit UniqueNames(const Graph& graph) : graph_(graph) {}
  std::string make(const std::string& wanted) {
    // Names are never given back, so the numbers tried for a word need not be tried again.
    std::uint32_t& number = next_[wanted];
    while (true) {
      std::string name = number == 0 ? wanted : fmt::format("{}_{}", wanted, number);
      ++number;
      if (!graph_.find(name).valid() && taken_.insert(name).second) return name;
    }
  }

 private:
  const Graph& graph_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::uint32_t> next_;  // by wanted name
};

}  // namespace tideline
