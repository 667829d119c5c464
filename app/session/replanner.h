// Plans for one graph: what every verb and the window plan with.
#pragma once

#include "app/session/sized_graph.h"
#include "core/base/progress.h"
#include "core/rewrite/policy.h"

namespace tideline::session {

/// What the last plan needed is kept, so that a change of cheap parameters alone is quick. Thread:
/// one at a time.
class Replanner {
 public:
  explicit Replanner(SizedGraph graph);

  [[nodiscard]] const SizedGraph& graph() const { return graph_; }

  /// As Planner::plan.
  [[nodiscard]] Result<Outcome> plan(const Policy& policy, bool explain, Progress& progress);
  /// As tideline::tune: the search alone.
  [[nodiscard]] Result<SearchResult> tune(const Policy& policy, Progress& progress) const;

 private:
  SizedGraph graph_;
  Planner planner_;
};

}  // namespace tideline::session
