// The step graph of a rewritten graph, computed without building that graph.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph_plan.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Equal to build_step_graph of the rewritten graph, except for the kinds of memory and the ids:
/// ops have the ids of the plan, and removed ops are present but do not run. A control edge that
/// the op already had is listed twice. Precondition: the plan fits the graph and keeps the facts
/// (kept_facts.h); plans of LMS do. Cost: O(ops + edges), of plain copying.
[[nodiscard]] StepGraph edited(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
                               const std::optional<std::string>& gpu_device);

/// `built`, the step graph of the rewritten graph, renumbered with the ids of the plan.
[[nodiscard]] StepGraph with_plan_ids(StepGraph built, const Graph& graph, const GraphPlan& plan);

}  // namespace tideline
