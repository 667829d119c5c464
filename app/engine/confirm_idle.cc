// Tested by unit/engine/snapshot_test.cc and property/one_truth.py.
#include "app/engine/confirm_idle.h"

#include <algorithm>

namespace tideline::app {

Status confirm_idle(Replanner& replanner, const std::vector<std::string>& fetches,
                    const Outcome& made, DeviceResult& result, Progress& progress) {
  std::vector<SwapEffect>& effects = result.effects;
  constexpr std::string_view kKeep = "keep-tensors";
  const Rewriter* rewriter = made.used.chosen();
  if (rewriter == nullptr || rewriter->find(kKeep) == nullptr || !may_have_idle(effects)) return {};
  const Graph& graph = replanner.graph().graph();
  const std::span<const PlannedSwap> swaps = made.plan.swaps();
  const std::vector<std::string> wanted = names_of(made.used, "swap-tensors");
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const auto is_listed = [&](const std::string& name) {
      return graph.find_tensor(name) == swaps[i].tensor;
    };
    if (std::any_of(wanted.begin(), wanted.end(), is_listed)) effects[i].has_room = false;
  }
  const auto peak_when_kept = [&](const std::vector<TensorId>& kept) -> Result<Bytes> {
    Policy policy = made.used;
    std::vector<std::string> names = names_of(policy, kKeep);
    for (const TensorId tensor : kept) names.push_back(graph.tensor_name(tensor));
    set_value(policy, kKeep, std::move(names));
    TIDELINE_TRY(const Outcome again, replanner.plan(policy, /*explain=*/false, progress));
    TIDELINE_TRY(const PlannedStep planned,
                 simulate_plan(replanner.graph(), *result.original, fetches, again.plan));
    if (!progress.report("looking for swaps that are not needed", 0, 0)) return cancelled();
    return planned.step.timeline.device_peak;
  };
  return tideline::confirm_idle(swaps, result.peak(), peak_when_kept, effects);
}

}  // namespace tideline::app
