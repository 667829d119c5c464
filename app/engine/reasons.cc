// Tested by unit/engine/reasons_test.cc.
#include "app/engine/reasons.h"

namespace tideline::app {
Result<std::shared_ptr<const Reasons>> Reasons::find(std::shared_ptr<const Snapshot> snapshot,
                                                     Progress& progress) {
  auto reasons = std::make_shared<Reasons>();
  const OpenedGraph& graph = *snapshot->graph;
  // Parameters that automatic mode found are not searched for again; only where it found nothing to
  // do the search is repeated.
  const auto& planned = snapshot->planned;
  const bool is_idle = planned.tuned && !planned.tuned->necessary;
  TIDELINE_TRY(reasons->explained_,
               Replanner(graph.sized())
                   .plan(is_idle ? snapshot->policy : planned.used, /*explain=*/true, progress));
  reasons->explained_.tuned = snapshot->planned.tuned;
  reasons->snapshot_ = std::move(snapshot);
  return reasons;
}

std::string why_in_file(const Snapshot& snapshot, TensorId tensor) {
  const FileSwap* swap = snapshot.shown->file->copies.of(tensor);
  if (swap == nullptr) return {};
  return swap_in_file_text(snapshot.shown->graph(), *swap, swap->swap_ins.front());
}

}  // namespace tideline::app
