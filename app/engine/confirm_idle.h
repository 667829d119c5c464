// Which swaps of a plan a step could do without, by plans made anew.
#pragma once

#include <string>
#include <vector>

#include "app/engine/device_result.h"
#include "app/engine/replanner.h"
#include "core/rewrite/lms/idle_swaps.h"
#include "core/rewrite/policy.h"

namespace tideline::app {

/// Sets SwapEffect::is_idle in `result`, a step with the plan `made` that was simulated for
/// `fetches` (idle_swaps.h). A plan is made anew with the parameters that were used. Tensors that
/// the user lists to be swapped are not idle. Errors: those of Replanner::plan and simulate_plan;
/// kCancelled.
[[nodiscard]] Status confirm_idle(Replanner& replanner, const std::vector<std::string>& fetches,
                                  const Outcome& made, DeviceResult& result, Progress& progress);

}  // namespace tideline::app
