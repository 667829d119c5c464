// Tested by unit/engine/exact_step_test.cc and integration/optimize_test.py.
#include "app/engine/exact_step.h"

#include <utility>

namespace tideline::app {

Result<ExactStep> exact_step(SizedGraph graph, const ExactRequest& request, const AskOptimizer& ask,
                             Progress& progress) {
  if (graph.measured) {
    return fail(Code::kUnsupported,
                "the traced step is of the ops that ran; expected none for a step that is run "
                "exactly");
  }
  ExactStep found;
  graph.run.as_run = AsRun::kExact;
  std::vector<std::string> fetches = request.fetches;
  TIDELINE_TRY(found.tensorflow, run_exactly(graph, fetches, request.profile, ask, progress));
  if (!progress.report("simulating a step", 0, 0)) return cancelled();
  const CostModel costs = graph.costs(request.profile.value_or(*built_in_profile("pcie3")));
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  StepOptions step;
  step.fetches = std::move(fetches);
  for (const std::optional<std::string>& device : request.devices) {
    step.gpu_device = device;
    TIDELINE_TRY(DeviceResult result,
                 simulate_device(graph, tensors, step, costs, nullptr, std::nullopt));
    ui::ExactPeak peak{result.peak_before()};
    if (request.budget) {
      peak.device_peak = within_budget(costs, *request.budget, result).device_peak;
      peak.is_stuck = result.timing.after.stuck.has_value();
    }
    found.peaks.push_back(peak);
  }
  return found;
}

Result<ui::ExactPeaks> exact_peaks(const Snapshot& snapshot, const AskOptimizer& ask,
                                   Progress& progress) {
  const OpenedGraph& graph = *snapshot.graph;
  ExactRequest request{graph.request.fetches, {}, snapshot.profile, {}};
  for (const DeviceResult& device : snapshot.devices) {
    request.devices.push_back(device.original->device.gpu_device);
  }
  TIDELINE_TRY(ExactStep before, exact_step(graph.sized(), request, ask, progress));
  ui::ExactPeaks found{std::move(before.tensorflow), std::move(before.peaks)};
  if (!snapshot.has_plan()) return found;
  if (snapshot.plan().cycle(graph.graph())) {
    found.problem = "the plan makes several runs of a step, which are modelled alone";
    return found;
  }
  for (std::size_t i = 0; i < snapshot.devices.size(); ++i) {
    if (const auto& planned = snapshot.devices[i].planned) {
      request.devices[i] = planned->device.gpu_device;
    }
  }
  // As the modelled step is seen: one whose graph is shown is on no clock.
  if (snapshot.shown == snapshot.graph) request.budget = snapshot.device_budget;
  SizedGraph changed = graph.sized();
  TIDELINE_TRY(Graph edited, apply(graph.graph(), snapshot.plan()));
  changed.source = with_graph(*changed.source, std::move(edited));
  TIDELINE_TRY(ExactStep after, exact_step(std::move(changed), request, ask, progress));
  found.after = std::move(after.peaks);
  return found;
}

}  // namespace tideline::app
