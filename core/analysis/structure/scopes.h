// The tree of name scopes of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// A prefix of op names that ends before a slash. Views live as long as the graph. An op may have
/// the same name as a scope (see graph.find(path)).
struct Scope {
  std::string_view name;  ///< the last part; empty for the root, and between two slashes
  std::string_view path;  ///< all parts, without a slash at the end
  std::uint32_t parent = 0;
  std::uint32_t depth = 0;     ///< 0 for the root
  std::uint32_t own_ops = 0;   ///< ops directly in the scope
  std::uint32_t first_op = 0;  ///< the subtree's ops: a range of ScopeTree::ops
  std::uint32_t op_count = 0;
  std::uint32_t first_child = 0;  ///< child scopes: a range of ScopeTree::children
  std::uint32_t child_count = 0;
};

/// Scopes in the order of their first op, parents before children; scope 0 is the root. The op
/// `a/b` belongs to scope `a`, even when there is a scope `a/b`.
struct ScopeTree {
  std::vector<Scope> scopes;
  std::vector<std::uint32_t> scope_of;  ///< by op: the innermost scope around it
  std::vector<std::uint32_t> children;  ///< contiguous by parent, in the order of `scopes`
  std::vector<OpId> ops;                ///< contiguous by subtree: own ops first, in file order

  [[nodiscard]] std::span<const OpId> all_ops(const Scope& scope) const {
    return {ops.data() + scope.first_op, scope.op_count};
  }
  [[nodiscard]] std::span<const OpId> own_ops(const Scope& scope) const {
    return {ops.data() + scope.first_op, scope.own_ops};
  }
  [[nodiscard]] std::span<const std::uint32_t> child_scopes(const Scope& scope) const {
    return {children.data() + scope.first_child, scope.child_count};
  }
};

/// Builds the tree. Cost: O(total length of all names). Thread: pure.
[[nodiscard]] ScopeTree find_scopes(const Graph& graph);

}  // namespace tideline
