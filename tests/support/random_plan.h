// Seeded random plans with every kind of change.
#pragma once

#include <random>

#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"

namespace tideline::test {

/// A plan that fits `graph` and closes no cycle: copies, Identity ops and NoOps that read ops added
/// before and after them, reroutes, control edges added and removed, ops removed, devices and
/// attributes changed. With `keeps_facts` no size or type of a tensor changes. Same random numbers,
/// same plan.
[[nodiscard]] GraphPlan random_plan(const Graph& graph, bool keeps_facts, std::mt19937& random);

}  // namespace tideline::test
