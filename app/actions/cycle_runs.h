// The runs of the cycle that a plan makes of a step, for the card and the table beside the views.
#pragma once

#include <vector>

#include "app/engine/snapshot.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// The runs in their order, with the peaks that plan JSON has; empty if the plan makes no cycle.
[[nodiscard]] std::vector<ui::RunRow> cycle_runs(const Snapshot& snapshot);

}  // namespace tideline::app
