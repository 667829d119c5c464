// The scopes around ops that differ, with counts.
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "render/view/graph_changes.h"

namespace tideline::app {

/// One more of this kind.
void count(render::ChangeKind kind, render::ChangeCounts& counts);

/// Collects scopes as they are met, then lists them in the order of a tree. The names of ops
/// outlive it and what it lists.
class ChangedScopes {
 public:
  ChangedScopes() { nodes_.emplace_back(); }

  /// Counts an op in all scopes around it; returns the number of the innermost one. Cost: O(parts
  /// of the name).
  std::size_t add(std::string_view op, render::ChangeKind kind);
  /// The tree, GraphChanges::scopes. Sets, by the numbers that `add` gave, the place of each scope.
  [[nodiscard]] std::vector<render::GraphChanges::Scope> rows(
      std::vector<std::uint32_t>& row_of) const;

 private:
  struct Node {
    std::string_view path;
    std::size_t parent = 0;
    std::uint32_t depth = 0;
    render::ChangeCounts counts;
    std::vector<std::size_t> children;
  };
  std::size_t child(std::size_t parent, std::string_view path);

  std::vector<Node> nodes_;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> by_name_;  // in their parent
};

}  // namespace tideline::app
