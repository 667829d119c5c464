// Whether the name of an op says that it belongs to a loop.
#pragma once

#include <string_view>

#include "core/graph/graph.h"
#include "core/graph/walks.h"

namespace tideline {

/// The reference takes ops with "while/" in their name for ops of a loop. In the body of a function
/// that has no loop of version 1 the name says nothing: loops are ops there, and their bodies other
/// functions. Everywhere else the reference is followed, unless it is not wanted.
/// Cost: O(op types) to build, O(length of the name) per query. Thread: immutable.
class WhileNames {
 public:
  /// `of_body`: the graph is taken for a body, as a traced function is one.
  explicit WhileNames(const Graph& graph, bool of_body = false)
      : graph_(&graph),
        mean_loops_(!(of_body || graph.is_function_body()) || LoopTypes(graph).has_loops()) {}

  [[nodiscard]] bool in_loop(OpId op) const {
    return mean_loops_ && graph_->name(op).find("while/") != std::string_view::npos;
  }

 private:
  const Graph* graph_;
  bool mean_loops_;
};

}  // namespace tideline
