// What the faithful model says of a plan, from the original graph and the plan alone.
#pragma once

#include "core/memory/faithful.h"
#include "core/memory/step_edit.h"
#include "core/rewrite/lms_plan.h"

namespace tideline {

/// The plan as an edit of the step graph. `gpu_device` as in StepOptions.
[[nodiscard]] StepEdit step_edit(const LmsPlan& plan, const std::optional<std::string>& gpu_device);

/// The step of the rewritten graph; ids of copies are those of the plan.
[[nodiscard]] FaithfulStep predict_step(const StepGraph& original, const LmsPlan& plan,
                                        const std::optional<std::string>& gpu_device);

}  // namespace tideline
