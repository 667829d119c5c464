// The order of effects inside the run of one section.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/graph/graph_plan.h"
#include "core/rewrite/sections/cut.h"

namespace tideline::sections {

/// Control edges between ops of one run, by waiting op, then in the order of the graph's lists.
/// Adds to `phase.ops` the NoOps that lead from one of its ops to another. Control edges to ops of
/// other runs are left out. Edges are added where a run would otherwise access a variable in
/// another order than the original step, because the path between the two leads through another
/// run. Errors: kUnsupported naming two accesses that cannot be ordered, since one is in a branch
/// or loop. Cost: O(ops of the original + edges of the run), and VariableUses::order_in.
[[nodiscard]] Result<std::vector<ControlEdge>> order_phase(const StepFacts& facts,
                                                           const VariableUses& uses,
                                                           PhaseCut& phase);

}  // namespace tideline::sections
