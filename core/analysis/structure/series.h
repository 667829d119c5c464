// Numbered sibling scopes or ops of equal structure: block_1, block_2, block_3.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/structure/scopes.h"
#include "core/graph/graph.h"

namespace tideline {

/// Child scopes, or ops, of one scope whose names differ only in a trailing number (a missing one
/// counts as 0: TensorFlow names `block`, `block_1`, `block_2`) and that contain the same number of
/// ops of each type.
struct Series {
  struct Member {
    std::uint64_t number = 0;
    std::uint32_t scope = 0;  ///< index into ScopeTree::scopes; unused for ops
    OpId op;                  ///< invalid for scopes
  };
  std::uint32_t parent = 0;     ///< the scope that contains all of them
  std::string_view stem;        ///< the name without number and without `_` before it
  std::vector<Member> members;  ///< by number, two or more
  [[nodiscard]] bool of_scopes() const { return !members.front().op.valid(); }
};

/// All series, in the order of their parents, scopes before ops. Op types are compared by a 64-bit
/// hash. Cost: O(ops + scopes x log siblings). Thread: pure.
[[nodiscard]] std::vector<Series> find_series(const Graph& graph, const ScopeTree& tree);

}  // namespace tideline
