// Control edges that would keep an op from running, and how they are told from harmless ones.
#pragma once

#include "core/analysis/conditions.h"
#include "core/rewrite/draft.h"

namespace tideline {

/// Judges control edges of a draft by the branches that both ends hang on (conditions.h).
class Guard {
 public:
  /// `conditions` of the original graph: what an op hung on before any edit. Both must outlive the
  /// guard.
  Guard(const Graph& graph, const Conditions& conditions)
      : graph_(graph), conditions_(conditions) {}

  /// Whether every op still runs when it did before, once `op` waits for `after`. A copy may become
  /// dead as long as its readers would be dead too; a Merge counts on each of its inputs.
  [[nodiscard]] bool keeps_alive(const Draft& draft, OpId op, OpId after) const;

 private:
  [[nodiscard]] BranchSetId branches_of(const Draft& draft, OpId op) const;

  const Graph& graph_;
  const Conditions& conditions_;
};

}  // namespace tideline
