// Plans for one graph, for the verbs and the window.
#pragma once

#include "app/engine/sized_graph.h"
#include "core/base/progress.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

/// Keeps the analyses of the last plan, so that a change of cheap parameters alone is fast. Thread:
/// not shared.
class Replanner {
 public:
  explicit Replanner(SizedGraph graph);

  [[nodiscard]] const SizedGraph& graph() const { return graph_; }

  /// As Planner::plan.
  [[nodiscard]] Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress);
  /// As Planner::missed.
  [[nodiscard]] const SearchResult* missed() const { return planner_.missed(); }
  /// As tideline::tune: the search alone.
  [[nodiscard]] Result<SearchResult> tune(const Policy& policy, Progress& progress) const;

 private:
  SizedGraph graph_;
  Planner planner_;
};

}  // namespace tideline::app
