// The step graph of a graph that a plan changes, without building that graph.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph_plan.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Equal to build_step_graph of the graph that the plan gives, but for the kinds of memory, and but
/// for the ids: ops have those of the plan, and ops that are removed are there and do not run. A
/// control edge that is added where it was already is listed twice.
/// Precondition: the plan fits the graph, and keeps the facts (kept_facts.h; one of LMS does).
/// Cost: O(ops + edges), of plain copying.
[[nodiscard]] StepGraph edited(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
                               const std::optional<std::string>& gpu_device);

/// `built`, the step graph of the graph that the plan gives, with the ids of the plan.
[[nodiscard]] StepGraph with_plan_ids(StepGraph built, const Graph& graph, const GraphPlan& plan);

}  // namespace tideline
