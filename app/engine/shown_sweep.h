// A sweep as its picture shows it.
#pragma once

#include "app/engine/sweep.h"
#include "render/view/sweep_grid.h"

namespace tideline::app {

/// Of `found`, the sweep of `request`. Precondition: one or two parameters are varied. Cost:
/// O(rows). Thread: pure.
[[nodiscard]] render::SweepGrid shown_sweep(const SweepRequest& request, const Sweep& found);

}  // namespace tideline::app
