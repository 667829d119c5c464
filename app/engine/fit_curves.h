// Peak and time over the batch size, for `fit`.
#pragma once

#include "app/engine/fit.h"
#include "app/engine/fit_step.h"
#include "app/engine/fit_ways.h"
#include "render/view/fit_curve.h"

namespace tideline::app {

/// The step as it is, and the three best ways of the table of rewriters, those that fit first, each
/// with some ten batch sizes around what fits. `fit` has its step and its largest batch. Errors:
/// kCancelled alone; a batch for which a way has no plan is left out. Empty where the peak does not
/// depend on the batch. Cost: a plan and a simulation for each point.
[[nodiscard]] Result<render::FitCurve> fit_curve(const FitSteps& steps, const Fit& fit,
                                                 FitWays& ways, Progress& progress);

}  // namespace tideline::app
