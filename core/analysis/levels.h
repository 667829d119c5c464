// Topological levels of ops, as two kinds of map: complete, and compatible with the reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

class WhileNames;

inline constexpr std::int32_t kNoLevel = -1;

/// Ops without inputs have level 0; every other op is one level above its highest data or control
/// input. Invariant: level(input) < level(op) for every edge that the map counts.
/// Thread: immutable.
class LevelMap {
 public:
  /// From a level for each op: dense from 0, or kNoLevel. Cost: O(ops).
  explicit LevelMap(std::vector<std::int32_t> level_of);

  /// The level of `op`, or kNoLevel.
  [[nodiscard]] std::int32_t level(OpId op) const { return level_of_[op.index()]; }
  /// Number of levels.
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  /// Ops of `level`, in file order; empty for a level outside the map.
  [[nodiscard]] std::span<const OpId> ops(std::int32_t level) const;
  [[nodiscard]] std::int64_t without_level() const { return without_level_; }

 private:
  std::vector<std::int32_t> level_of_;
  std::vector<std::uint32_t> first_;
  std::vector<OpId> by_level_;
  std::int64_t without_level_ = 0;
};

/// Gives every op a level; only edges NextIteration -> Merge do not count.
/// Precondition: the graph is acyclic except for those (verify_acyclic).
/// Cost: O(ops + edges); one sweep when the file is in topological order. Thread: pure.
[[nodiscard]] LevelMap complete_levels(const Graph& graph);

/// The reference's categorized topological sort. Ops with "while/" in their name have no level
/// unless they are Enter, Merge (whose NextIteration input is ignored), Switch (whose LoopCond
/// input is ignored) or Exit; ops that depend on an op without a level have none either. In bodies
/// of functions such names mean nothing (while_names.h).
/// Source: IBM TFLMS v2, topos.py, TOPOS.build (rules only). Cost and thread as above.
[[nodiscard]] LevelMap compatible_levels(const Graph& graph);
/// The same, where `names` say which ops are of a loop.
[[nodiscard]] LevelMap compatible_levels(const Graph& graph, const WhileNames& names);

}  // namespace tideline
