// Settings for a user who chose a rewriter and gave no budget.
#pragma once

#include <memory>

#include "app/engine/snapshot.h"
#include "core/base/progress.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

/// Whether others should be proposed for the starting values of a snapshot: its policy has a search
/// but no budget, and its plan does not lower the peak, or makes the step more than twice as long.
[[nodiscard]] bool wants_proposal(const Snapshot& snapshot);

/// A snapshot of the policy of `start`, which wants a proposal, with settings that lower the peak:
/// those that a search finds for 80 % of the peak without a plan, or that come closest to it. If
/// none that was tried lowers the peak, settings that swap little or nothing. Null if nothing
/// is better than `start`, and if the search cannot be made, as without sizes.
/// `maker` made `start`. Errors: those of SnapshotMaker::make for the settings; kCancelled. Cost: a
/// search and a plan.
[[nodiscard]] Result<std::shared_ptr<const Snapshot>> propose(SnapshotMaker& maker,
                                                              const Snapshot& start,
                                                              Progress& progress);

}  // namespace tideline::app
