// One rewriter after the other, each on the graph that the one before it gives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/sized_graph.h"
#include "core/base/progress.h"
#include "core/rewrite/policy.h"

namespace tideline::session {

struct RewriteOptions {
  std::vector<Policy> policies;  ///< one at least, in their order
  bool explain = false;          ///< see Replanner::plan
  bool wants_plan = false;       ///< whether the plan is to be printed, with its prediction
};

/// What one rewriter did.
struct RewriteLink {
  std::shared_ptr<const Graph> graph;  ///< that the ids of the plan are of
  Outcome made;
};

struct Rewritten {
  Graph graph;  ///< an edit of the one that was read, to be written with its surroundings
  std::vector<RewriteLink> links;
  std::string plan_json;  ///< of kind `chain` where there are several links; empty if not wanted
};

/// Errors: those of Replanner::plan, predict_peaks and apply, with the path; of a later link with
/// its number, too. Cost: that of the plans; between two links the graph is written into memory and
/// read again.
[[nodiscard]] Result<Rewritten> rewrite(const SizedGraph& original, const RewriteOptions& options,
                                        Progress& progress);

}  // namespace tideline::session
