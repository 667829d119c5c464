// Adds the values of the towers' metric variables to the variables of the first tower.
#pragma once

#include "core/rewrite/replicate/report.h"
#include "core/rewrite/replicate/tower_plan.h"

namespace tideline::replicate {

/// Adds the op that updates all metrics, and the one that initializes the copies of their
/// variables. Precondition: the towers are added, and there are metrics.
void add_metric_reduction(const Context& context, const Targets& targets, const Regions& regions,
                          TowerPlan& plan, ReplicateReport& report);

}  // namespace tideline::replicate
