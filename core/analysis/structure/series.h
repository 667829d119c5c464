// Siblings that are numbered and built alike: block_1, block_2, block_3.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/structure/scopes.h"
#include "core/graph/graph.h"

namespace tideline {

/// Child scopes of one scope, or ops of one scope, whose names differ in the number at their end
/// only (none counts as 0: TensorFlow names `block`, `block_1`, `block_2`) and that hold equally
/// many ops of each type.
struct Series {
  struct Member {
    std::uint64_t number = 0;
    std::uint32_t scope = 0;  ///< index into ScopeTree::scopes; unused for ops
    OpId op;                  ///< invalid for scopes
  };
  std::uint32_t parent = 0;     ///< the scope around all of them
  std::string_view stem;        ///< the name without number and without `_` before it
  std::vector<Member> members;  ///< by number, two or more
  [[nodiscard]] bool of_scopes() const { return !members.front().op.valid(); }
};

/// In the order of their parents, scopes before ops. Types are compared by a 64-bit sum over their
/// names. Cost: O(ops + scopes, log in siblings). Thread: pure.
[[nodiscard]] std::vector<Series> find_series(const Graph& graph, const ScopeTree& tree);

}  // namespace tideline
