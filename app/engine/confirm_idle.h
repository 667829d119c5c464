// Which swaps of a plan a step could do without, by plans made anew.
#pragma once

#include <string>
#include <vector>

#include "app/engine/opened_graph.h"
#include "app/engine/replanner.h"
#include "core/rewrite/lms/idle_swaps.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

/// Sets SwapEffect::is_idle of the plan `made` (idle_swaps.h), whose step has the device peak
/// `peak`. A plan is made anew with the parameters that were used. Tensors that the user lists to
/// be swapped are not idle. `original` is the step without a plan, made for `fetches`. Errors:
/// those of Replanner::plan and simulate_plan; kCancelled.
[[nodiscard]] Status confirm_idle(Replanner& replanner, const DeviceStep& original,
                                  const std::vector<std::string>& fetches, const Outcome& made,
                                  Bytes peak, std::vector<SwapEffect>& effects, Progress& progress);

}  // namespace tideline::app
