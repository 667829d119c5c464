// Finding ops by what is known of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/opened_graph.h"

namespace tideline::session {

struct FoundOps {
  std::vector<OpId> ops;   ///< the first kMostHits, in file order
  std::int64_t total = 0;  ///< how many there are
};
inline constexpr std::size_t kMostHits = 1000;

/// Ops for which all words of `query` hold. A word is part of the name (any case), or one of
/// op:TYPE (any case), scope:PATH, device:TEXT, phase:NAME, level:A..B, bytes>SIZE, bytes<SIZE
/// (of all outputs). A word that only looks like one of these is part of a name. An empty query
/// finds nothing. Cost: O(ops * words). Thread: pure.
[[nodiscard]] FoundOps search_ops(const OpenedGraph& graph, std::string_view query);

}  // namespace tideline::session
