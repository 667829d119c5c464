// Conditionals of a step: of the two branches of each, one runs.
#pragma once

#include <vector>

#include "core/analysis/structure/conditionals.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Takes the ops of the branches that are not taken out of `step`: their inputs and outputs go, and
/// a Merge reads what it gets from the other branch. Taken is the branch whose ops make more bytes
/// on the device, since the largest step is asked for. Cost: O(ops of the conditionals).
void take_branches(const std::vector<Conditional>& conditionals, StepGraph& step);

}  // namespace tideline
