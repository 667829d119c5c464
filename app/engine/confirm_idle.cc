// Tested by unit/engine/snapshot_test.cc and property/one_truth.py.
#include "app/engine/confirm_idle.h"

#include <algorithm>
#include <limits>

#include "core/memory/step_clock.h"

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
  const std::optional<Bytes> budget =
      result.timing.after.stuck ? std::nullopt : result.timing.after.budget;
  const CostModel costs = replanner.graph().costs(made.used.search.profile);
  const auto peak_when_kept = [&](const std::vector<TensorId>& kept) -> Result<Bytes> {
    Policy policy = made.used;
    std::vector<std::string> names = names_of(policy, kKeep);
    for (const TensorId tensor : kept) names.push_back(graph.tensor_name(tensor));
    set_value(policy, kKeep, std::move(names));
    TIDELINE_TRY(const Outcome again, replanner.plan(policy, /*explain=*/false, progress));
    TIDELINE_TRY(const PlannedStep planned,
                 simulate_plan(replanner.graph(), *result.original, fetches, again.plan));
    if (!progress.report("looking for swaps that are not needed", 0, 0)) return cancelled();
    if (!budget) return planned.step.timeline.device_peak;
    // Within a budget a step waits for memory instead of holding more.
    const StepTime time = StepClock(planned.graph, planned.step, costs).time(budget);
    const bool is_worse = time.stuck || time.step_ns() > result.timing.after.step_ns();
    return is_worse ? std::numeric_limits<Bytes>::max() : time.device_peak;
  };
  return tideline::confirm_idle(swaps, result.peak(), peak_when_kept, effects);
}

}  // namespace tideline::app
