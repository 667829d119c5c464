// What differs between two graphs, as the diff view shows it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tideline::render {

struct ComparedMemory;

enum class ChangeKind : std::uint8_t { kAdded, kChanged, kRemoved };

struct ChangeCounts {
  std::int64_t added = 0, changed = 0, removed = 0;
  [[nodiscard]] std::int64_t all() const { return added + changed + removed; }
};

struct GraphChanges {
  /// One of the two graphs.
  struct Side {
    std::string title;  ///< "original", "resnet50_lms.meta"
    std::int64_t op_count = 0;
    std::optional<Bytes> peak = {};  ///< device memory of a step, where it is known
    /// Ops of each level of its complete map; empty for a graph with a cycle.
    struct Level {
      std::int32_t same = 0, changed = 0;
      std::int32_t own = 0;  ///< that the other graph lacks
    };
    std::vector<Level> levels;
  };
  /// A line of the tree of scopes: only those in which something differs, the root first, scopes
  /// before those inside.
  struct Scope {
    std::string_view path;  ///< empty for the root; a part of the name of an op of the graphs
    std::uint32_t depth = 0;
    std::uint32_t rows = 1;  ///< of this scope and all inside
    ChangeCounts counts;     ///< scopes inside included
  };
  /// An op that differs.
  struct Op {
    std::string name, type;
    ChangeKind kind = ChangeKind::kChanged;
    std::uint32_t scope = 0;         ///< index of `scopes`, the innermost around it
    std::vector<std::string> lines;  ///< what differs: "input 1: a:0 -> swapin/a:0"
  };
  /// Something that has to hold of a rewrite.
  struct Check {
    std::string text;  ///< "all 5,390 ops of original are there"
    bool holds = true;
  };

  Side before, after;
  std::shared_ptr<const ComparedMemory> memory = {};  ///< null: neither step is known
  /// Of both.
  [[nodiscard]] int level_count() const {
    return static_cast<int>(std::max(before.levels.size(), after.levels.size()));
  }
  ChangeCounts counts;
  std::vector<Scope> scopes;
  std::vector<Op> ops;  ///< in the order of the first graph, then the added ones
  std::vector<Check> checks;
  std::string verdict;  ///< "56 ops added, 70 changed, 0 removed; every op computes the same"
  bool has_same_values = true;
};

}  // namespace tideline::render
