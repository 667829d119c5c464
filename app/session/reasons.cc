// Tested by unit/session/reasons_test.cc.
#include "app/session/reasons.h"

#include <algorithm>

namespace tideline::session {
namespace {

std::string_view why_in(const std::vector<PlannedSwap>& swaps, TensorId tensor) {
  const auto found = std::find_if(swaps.begin(), swaps.end(),
                                  [&](const PlannedSwap& swap) { return swap.tensor == tensor; });
  return found == swaps.end() ? std::string_view() : found->why;
}

}  // namespace

Result<std::shared_ptr<const Reasons>> Reasons::find(std::shared_ptr<const Snapshot> snapshot,
                                                     Progress& progress) {
  auto reasons = std::make_shared<Reasons>();
  const OpenedGraph& graph = *snapshot->graph;
  // What automatic mode found is not searched for again; that it found nothing to do is.
  const auto& planned = snapshot->planned;
  const bool is_idle = planned.tuned && !planned.tuned->necessary;
  TIDELINE_TRY(reasons->explained_,
               Replanner(graph.sized())
                   .plan(is_idle ? snapshot->policy : planned.used, /*explain=*/true, progress));
  reasons->explained_.tuned = snapshot->planned.tuned;
  auto& kept = reasons->explained_.plan.not_swapped;
  std::stable_sort(kept.begin(), kept.end(),
                   [](const KeptTensor& a, const KeptTensor& b) { return a.tensor < b.tensor; });
  reasons->snapshot_ = std::move(snapshot);
  return reasons;
}

std::string_view Reasons::why(TensorId tensor) const {
  const auto& kept = explained_.plan.not_swapped;
  const auto found = std::lower_bound(
      kept.begin(), kept.end(), tensor,
      [](const KeptTensor& entry, TensorId wanted) { return entry.tensor < wanted; });
  if (found != kept.end() && found->tensor == tensor) return found->why;
  return why_in(explained_.plan.swaps, tensor);
}

std::string_view why_swapped(const Snapshot& snapshot, TensorId tensor) {
  return why_in(snapshot.plan().swaps, tensor);
}

}  // namespace tideline::session
