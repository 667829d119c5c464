// Statements about a whole graph that its arrays do not enforce by themselves.
#pragma once

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

/// Whether `type` ends an iteration of a loop: its edge into a Merge is the loop's back edge.
[[nodiscard]] bool is_next_iteration(std::string_view type);
[[nodiscard]] bool is_merge(std::string_view type);

/// Which of a graph's types are NextIteration or Merge, by type id; answers the back-edge question
/// for single edges without comparing text.
class LoopTypes {
 public:
  explicit LoopTypes(const Graph& graph);
  /// Whether the edge from `producer` to `consumer` closes a loop.
  [[nodiscard]] bool is_back_edge(const Graph& graph, OpId producer, OpId consumer) const {
    return has_loops_ && roles_[graph.type_id(producer)] == Role::kNextIteration &&
           roles_[graph.type_id(consumer)] == Role::kMerge;
  }
  [[nodiscard]] bool has_loops() const { return has_loops_; }

 private:
  enum class Role : std::uint8_t { kOther, kNextIteration, kMerge };
  std::vector<Role> roles_;
  bool has_loops_ = false;
};

/// Errors: kCorrupt when data and control edges, but for NextIteration -> Merge, form a cycle; the
/// message walks along it. Cost: O(ops) when the file is in topological order, else O(ops + edges).
[[nodiscard]] Status verify_acyclic(const Graph& graph);

}  // namespace tideline
