// Conditionals of a step: of the two branches of each, one runs.
#pragma once

#include <vector>

#include "core/analysis/as_run/folding.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Takes the ops of the branches that are not taken out of `step`: their inputs and outputs go, and
/// a Merge reads what it gets from the other branch. Ops beyond those of `folding` were added by a
/// plan, which keeps the facts (kept_facts.h). Taken is the branch whose ops make more bytes
/// on the device, since the largest step is asked for. Cost: O(ops of the conditionals).
void take_branches(const Folding& folding, StepGraph& step);

}  // namespace tideline
