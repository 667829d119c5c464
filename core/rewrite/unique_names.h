// Names for the ops that a rewriter adds.
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/graph/graph.h"

namespace tideline {

/// Generates names that no op of the graph and no other added op has: "x", "x_1", "x_2", ...
/// The graph must outlive it. Cost: amortised O(1) per name.
class UniqueNames {
 public:
  explicit UniqueNames(const Graph& graph) : graph_(graph) {}
  std::string make(const std::string& wanted) {
    if (is_new(wanted)) return wanted;
    // Names are never given back, so the numbers tried for a word need not be tried again.
    std::uint32_t& number = last_[wanted];
    while (true) {
      std::string name = fmt::format("{}_{}", wanted, ++number);
      if (is_new(name)) return name;
    }
  }
  /// Keeps `make` from giving `name`, which is used for an op that is named elsewhere.
  void reserve(std::string name) { taken_.insert(std::move(name)); }

 private:
  bool is_new(const std::string& name) {
    return !graph_.find(name).valid() && taken_.insert(name).second;
  }

  const Graph& graph_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::uint32_t> last_;  // by wanted name that was taken
};

}  // namespace tideline
