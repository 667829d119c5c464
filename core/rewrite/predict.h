// What the faithful model says of a plan, from the original graph and the plan alone.
#pragma once

#include "core/graph/tensor_options.h"
#include "core/memory/faithful.h"
#include "core/memory/step_edit.h"
#include "core/rewrite/lms_plan.h"

namespace tideline {

/// The plan as an edit of the step graph. `gpu_device` as in StepOptions.
[[nodiscard]] StepEdit step_edit(const LmsPlan& plan, const std::optional<std::string>& gpu_device);

/// The step of the rewritten graph; ids of copies are those of the plan.
[[nodiscard]] FaithfulStep predict_step(const StepGraph& original, const LmsPlan& plan,
                                        const std::optional<std::string>& gpu_device);

/// Peaks of the rewritten graph for a plan of either version, by the faithful model. The model that
/// `sizes` names does not count. Errors: those of TensorTable::build and build_step_graph.
[[nodiscard]] Result<PlanPrediction> predict_peaks(const Graph& graph,
                                                   const Collections& collections,
                                                   const LmsPlan& plan, const TensorOptions& sizes,
                                                   const StepOptions& step);

}  // namespace tideline
