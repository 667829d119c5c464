// Searches for ops by name and properties.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/engine/opened_graph.h"
#include "core/base/error.h"

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

/// The op, as its output 0, or the tensor that is called `name`. Errors: kNotFound, with the
/// nearest names. Cost: O(1); O(ops) for an error. Thread: pure.
[[nodiscard]] Result<TensorId> find_named(const OpenedGraph& graph, const std::string& name);

}  // namespace tideline::app
