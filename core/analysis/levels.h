// Topological levels: op -> level and level -> ops, in two maps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

inline constexpr std::int32_t kNoLevel = -1;

/// Level 0 are the ops without inputs; every other op is one above its highest input, data or
/// control. Invariant: level(input) < level(op) for every edge that the map counts.
class LevelMap {
 public:
  /// From a level for each op; numbers must be dense from 0, kNoLevel for ops without one.
  explicit LevelMap(std::vector<std::int32_t> level_of);

  /// kNoLevel for an op that has none.
  [[nodiscard]] std::int32_t level(OpId op) const { return level_of_[op.index()]; }
  /// Number of levels.
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  /// Ops of `level`, in file order; none for a level outside the map.
  [[nodiscard]] std::span<const OpId> ops(std::int32_t level) const;
  [[nodiscard]] std::int64_t without_level() const { return without_level_; }

 private:
  std::vector<std::int32_t> level_of_;
  std::vector<std::uint32_t> first_;
  std::vector<OpId> by_level_;
  std::int64_t without_level_ = 0;
};

/// Every op has a level; of the edges only NextIteration -> Merge does not count.
/// Precondition: the graph is acyclic but for those (verify_acyclic).
/// Cost: O(ops + edges); one sweep when the file is in topological order. Thread: pure.
[[nodiscard]] LevelMap complete_levels(const Graph& graph);

/// The reference's categorized topological sort: ops with "while/" in their name have no level
/// unless they are Enter, Merge (which does not wait for NextIteration), Switch (not for LoopCond)
/// or Exit; ops behind an op without a level have none either. Source: IBM TFLMS v2, topos.py,
/// TOPOS.build (rules only). Cost and thread as above.
[[nodiscard]] LevelMap compatible_levels(const Graph& graph);

}  // namespace tideline
