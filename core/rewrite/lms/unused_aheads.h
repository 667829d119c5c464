// Tells which overrides of a swap-in a plan has no use for.
#pragma once

#include <functional>
#include <string>

#include "core/graph/graph.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms/overrides.h"

namespace tideline {

/// Adds a warning to `plan` if it does not swap a tensor for which the user gives a distance.
/// `why_kept` says why such a tensor stays. Cost: O(swaps x log overrides).
void note_unused_aheads(const Graph& graph, const Overrides& overrides, LmsPlan& plan,
                        const std::function<std::string(TensorId)>& why_kept);

}  // namespace tideline
