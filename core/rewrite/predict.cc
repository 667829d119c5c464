// Tested by property/plan_property.cc and property/prediction_property.cc.
#include "core/rewrite/predict.h"

#include <algorithm>

#include "core/graph/graph_edit.h"
#include "core/memory/kept_facts.h"

namespace tideline {

namespace {

// Places and scratch memory by the ids of the graph that the plan gives, whose ops follow each
// other without those that are removed.
MeasuredSizes measured_after(const MeasuredSizes& measured, const Graph& graph,
                             const GraphPlan& plan) {
  std::vector<bool> is_left_out(graph.op_count());
  for (const OpId op : plan.removed) is_left_out[op.index()] = true;
  MeasuredSizes after;
  after.is_of_gpu = measured.is_of_gpu;
  const auto add = [&](OpId op) {
    if (op.index() < measured.scratch.size()) after.scratch.push_back(measured.scratch[op.index()]);
    if (op.index() < measured.places.size()) after.places.push_back(measured.places[op.index()]);
  };
  for (const OpId op : graph.ops()) {
    if (!is_left_out[op.index()]) add(op);
  }
  for (const AddedOp& op : plan.added) {
    if (op.copy_of.valid()) {
      add(op.copy_of);
      continue;
    }
    if (!measured.scratch.empty()) after.scratch.push_back(0);
    if (!measured.places.empty()) after.places.push_back(StepOp::kStartsWhenReady);
  }
  return after;
}

// Builds the graph that the plan gives, and looks at it afresh.
Result<StepGraph> rebuilt(const Graph& graph, const Collections& collections, const GraphPlan& plan,
                          const TensorOptions& sizes, StepOptions step) {
  TIDELINE_TRY(const Graph changed, apply(graph, plan));
  MeasuredSizes measured;
  if (step.measured != nullptr) {
    measured = measured_after(*step.measured, graph, plan);
    step.measured = &measured;
  }
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(changed, faithful));
  TIDELINE_TRY(StepGraph built, build_step_graph(changed, tensors, collections, step));
  return with_plan_ids(std::move(built), graph, plan);
}

}  // namespace

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
  StepOptions as_original = step;
  as_original.run = original.run;  // the swaps alone would ask for another executor
  return rebuilt(graph, collections, plan, sizes, as_original);
}

Result<PlanPrediction> predict(const Graph& graph, const Collections& collections,
                               const TensorOptions& sizes, const StepOptions& step,
                               const RewritePlan& plan, const CostModel* costs) {
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful));
  TIDELINE_TRY(const StepGraph original, build_step_graph(graph, tensors, collections, step));
  TIDELINE_TRY(const StepGraph changed,
               predict_step_graph(original, graph, collections, plan.edit, sizes, step));
  const FaithfulStep before = simulate_step(original);
  const FaithfulStep after = simulate_step(changed);
  PlanPrediction predicted;
  predicted.model = after.timeline.model;
  predicted.device_peak_bytes = after.timeline.device_peak;
  predicted.host_peak_bytes = after.timeline.host_peak;
  predicted.device_peak_before = before.timeline.device_peak;
  if (costs != nullptr) {
    predicted.time = report_time(report_time(original, before, *costs), changed, after, *costs);
  }
  predicted.run = original.run;
  predicted.effects = swap_effects(changed, after, plan.swaps());
  return predicted;
}

}  // namespace tideline
