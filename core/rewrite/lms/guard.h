// Detects control edges that could keep an op of a conditional from running.
#pragma once

#include "core/analysis/conditions.h"
#include "core/rewrite/lms/draft.h"

namespace tideline {

/// Judges control edges of a draft by the branches that both ends depend on (conditions.h).
class Guard {
 public:
  /// `conditions` of the original graph. Both must outlive the guard.
  Guard(const Graph& graph, const Conditions& conditions)
      : graph_(graph), conditions_(conditions) {}

  /// Whether every op still runs whenever it did before if `op` waits for `after`. A copy may
  /// become dead if its readers are dead too; a Merge requires each of its inputs.
  [[nodiscard]] bool keeps_alive(const Draft& draft, OpId op, OpId after) const;

 private:
  [[nodiscard]] BranchSetId branches_of(const Draft& draft, OpId op) const;

  const Graph& graph_;
  const Conditions& conditions_;
};

}  // namespace tideline
