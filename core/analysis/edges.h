// Edge counts and level distances, counted as in the LMS tutorial.
#pragma once

#include <cstdint>
#include <map>

#include "core/analysis/levels.h"
#include "core/graph/graph.h"

namespace tideline {

struct EdgeCounts {
  std::int64_t data = 0;     ///< pairs of ops with at least one data edge
  std::int64_t control = 0;  ///< pairs of ops with a control edge
};

/// Parallel edges between two ops count once. Cost: O(edges).
[[nodiscard]] EdgeCounts count_edges(const Graph& graph);

/// Over all pairs of ops with a data edge: level(consumer) - level(producer) -> number of pairs. An
/// op without a level counts as level -1, as in the reference. Cost: O(edges). Thread: pure.
[[nodiscard]] std::map<std::int32_t, std::int64_t> distance_histogram(const Graph& graph,
                                                                      const LevelMap& levels);

}  // namespace tideline
