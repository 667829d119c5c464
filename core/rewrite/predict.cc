#include "core/rewrite/predict.h"

#include "core/analysis/placement.h"
#include "core/base/text.h"

namespace tideline {
namespace {

Space space_of(const std::string& device, const std::optional<std::string>& gpu_device) {
  if (Placement::names_cpu(device)) return Space::kHost;
  if (!gpu_device || equal_ignoring_case(device, *gpu_device)) return Space::kDevice;
  return Space::kElsewhere;
}

}  // namespace

StepEdit step_edit(const LmsPlan& plan, const std::optional<std::string>& gpu_device) {
  StepEdit edit;
  for (const PlannedCopy& copy : plan.added) {
    edit.copies.push_back({copy.input, space_of(copy.device, gpu_device)});
  }
  for (const Reroute& reroute : plan.rerouted) {
    edit.reroutes.push_back({reroute.op, reroute.slot, reroute.to});
  }
  for (const ControlEdge& edge : plan.control) edit.controls.push_back({edge.op, edge.after});
  return edit;
}

FaithfulStep predict_step(const StepGraph& original, const LmsPlan& plan,
                          const std::optional<std::string>& gpu_device) {
  return simulate_step(edited(original, step_edit(plan, gpu_device)));
}

Result<PlanPrediction> predict_peaks(const Graph& graph, const Collections& collections,
                                     const LmsPlan& plan, const TensorOptions& sizes,
                                     const StepOptions& step) {
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, faithful));
  TIDELINE_TRY(const StepGraph original, build_step_graph(graph, tensors, collections, step));
  const FaithfulStep predicted = predict_step(original, plan, step.gpu_device);
  return PlanPrediction{std::string(predicted.timeline.model), predicted.timeline.device_peak,
                        predicted.timeline.host_peak};
}

}  // namespace tideline
