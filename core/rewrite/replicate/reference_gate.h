// Keeps the update of reference variables from overtaking the towers that read them.
#pragma once

#include <utility>
#include <vector>

#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/tower_plan.h"

namespace tideline::replicate {

/// A tensor of the graph, and what the towers' copies of it were combined to.
using CombinedTensor = std::pair<TensorId, TensorId>;

/// Where towers and variables are on several tasks: makes every write of a reference variable that
/// belongs to the update wait until all of `combined` are there. Adds one op. Nothing is added for
/// a graph without such variables. Cost: O(ops + edges).
void gate_references(const Context& context, const Regions& regions,
                     const std::vector<CombinedTensor>& combined, TowerPlan& plan);

}  // namespace tideline::replicate
