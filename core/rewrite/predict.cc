// Tested by property/plan_property.cc and property/prediction_property.cc.
#include "core/rewrite/predict.h"

#include <algorithm>

#include "core/graph/graph_edit.h"
#include "core/memory/kept_facts.h"

namespace tideline {

FaithfulStep predict_step(const StepGraph& original, const Graph& graph, const RewritePlan& plan,
                          const std::optional<std::string>& gpu_device) {
  return simulate_step(edited(original, graph, plan.edit, gpu_device));
}

Result<StepGraph> predict_step_graph(const StepGraph& original, const Graph& graph,
                                     const Collections& collections, const GraphPlan& plan,
                                     const TensorOptions& sizes, const StepOptions& step) {
  TIDELINE_RETURN_IF_ERROR(PlanChanges::check(graph, plan));
  const bool by_name = !sizes.shapes.empty() || sizes.measured != nullptr;
  const bool has_copies = std::any_of(plan.added.begin(), plan.added.end(),
                                      [](const AddedOp& op) { return op.copy_of.valid(); });
  if (!(by_name && has_copies) && keeps_facts(original, graph, plan, step.gpu_device)) {
    return edited(original, graph, plan, step.gpu_device);
  }
  TIDELINE_TRY(const Graph changed, apply(graph, plan));
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(changed, faithful));
  TIDELINE_TRY(StepGraph built, build_step_graph(changed, tensors, collections, step));
  return with_plan_ids(std::move(built), graph, plan);
}

Status predict(const Graph& graph, const Collections& collections, const TensorOptions& sizes,
               const StepOptions& step, RewritePlan& plan, const CostModel* costs) {
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful));
  TIDELINE_TRY(const StepGraph original, build_step_graph(graph, tensors, collections, step));
  const StepGraph changed = edited(original, graph, plan.edit, step.gpu_device);
  const FaithfulStep simulated = simulate_step(changed);
  const FaithfulStep before = simulate_step(original);
  const MemoryTimeline& timeline = simulated.timeline;
  plan.predicted = PlanPrediction{std::string(timeline.model),
                                  timeline.device_peak,
                                  timeline.host_peak,
                                  before.timeline.device_peak,
                                  {}};
  if (costs != nullptr) {
    plan.predicted->time =
        report_time(report_time(original, before, *costs), changed, simulated, *costs);
  }
  plan.effects = swap_effects(changed, simulated, plan);
  return {};
}

}  // namespace tideline
