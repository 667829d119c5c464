// Checks of whole-graph properties that the arrays of a Graph do not enforce.
#pragma once

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

/// Whether `type` is NextIteration, whose edge into a Merge is the back edge of a loop.
[[nodiscard]] bool is_next_iteration(std::string_view type);
[[nodiscard]] bool is_merge(std::string_view type);

/// The types NextIteration and Merge of a graph, by type id; tells back edges without comparing
/// strings. Cost: O(types) to build, O(1) per query.
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

/// Errors: kCorrupt when data and control edges, except NextIteration -> Merge, form a cycle; the
/// message lists its ops. Cost: O(ops) when the file is in topological order, else O(ops + edges).
[[nodiscard]] Status verify_acyclic(const Graph& graph);

}  // namespace tideline
