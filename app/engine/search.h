// Searches for ops by name and properties.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/engine/opened_graph.h"

namespace tideline::app {

struct FoundOps {
  std::vector<OpId> ops;   ///< the first kMostHits, in file order
  std::int64_t total = 0;  ///< number of all hits
};
inline constexpr std::size_t kMostHits = 1000;

/// Ops that match all words of `query`. A word is a part of the name (ignoring case), or one of
/// op:TYPE (ignoring case), scope:PATH, device:TEXT, phase:NAME, level:A..B, bytes>SIZE, bytes<SIZE
/// (of all outputs); malformed ones count as parts of names. An empty query has no hits.
/// Cost: O(ops x words). Thread: pure.
[[nodiscard]] FoundOps search_ops(const OpenedGraph& graph, std::string_view query);

}  // namespace tideline::app
