// What the faithful model says of a plan, from the original graph and the plan alone.
#pragma once

#include "core/graph/collections.h"
#include "core/graph/tensor_options.h"
#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"
#include "core/memory/step_edit.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline {

/// The step graph of the graph that a plan gives, with the ids of the plan. Without building that
/// graph where the plan keeps the facts (kept_facts.h); else, and for copies when sizes are given
/// or measured for ops by name, the graph is built and looked at afresh.
/// Errors: those of apply, TensorTable::build and build_step_graph.
[[nodiscard]] Result<StepGraph> predict_step_graph(const StepGraph& original, const Graph& graph,
                                                   const Collections& collections,
                                                   const GraphPlan& plan,
                                                   const TensorOptions& sizes,
                                                   const StepOptions& step);

/// What the faithful model says of a plan by which the graph is run as a step; times where `costs`
/// is not null. The model that `sizes` names does not count. Errors: those of TensorTable::build
/// and predict_step_graph.
[[nodiscard]] Result<PlanPrediction> predict(const Graph& graph, const Collections& collections,
                                             const TensorOptions& sizes, const StepOptions& step,
                                             const RewritePlan& plan,
                                             const CostModel* costs = nullptr);

}  // namespace tideline
