// Tested by unit/rewrite/overrides_test.cc.
#include "core/rewrite/lms/unused_aheads.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/text.h"
#include "core/rewrite/lms/own_ahead.h"

namespace tideline {

void note_unused_aheads(const Graph& graph, const Overrides& overrides, LmsPlan& plan,
                        const std::function<std::string(TensorId)>& why_kept) {
  if (overrides.aheads().empty()) return;
  std::set<TensorId> swapped;
  for (const PlannedSwap& swap : plan.swaps) swapped.insert(swap.tensor);
  std::vector<TensorId> unused;
  for (const auto& [tensor, ahead] : overrides.aheads()) {
    if (!swapped.contains(tensor)) unused.push_back(tensor);
  }
  if (unused.empty()) return;
  const TensorId first = unused.front();
  Warning warning{"no effect", {}, {}, static_cast<std::int64_t>(unused.size())};
  warning.text = fmt::format("{{{}}} {} has no effect: the tensor is not swapped: {}",
                             kAheadTensors, printable(graph.tensor_name(first)), why_kept(first));
  if (unused.size() > 1) {
    warning.text = fmt::format(
        "{{{}}} has no effect for {} tensors that are not swapped, the first is {}: {}",
        kAheadTensors, unused.size(), printable(graph.tensor_name(first)), why_kept(first));
  }
  for (const TensorId tensor : unused) {
    if (warning.places.size() == kMostWarningPlaces) break;
    warning.places.emplace_back(graph.name(tensor.op));
  }
  plan.warnings.push_back(std::move(warning));
}

}  // namespace tideline
