// The table of swaps: one row for each swap-in.
#pragma once

#include <cstddef>
#include <vector>

#include "app/engine/snapshot.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// First the swaps of the plan in its order, by tensor and group, then the swaps that the file
/// holds already. Times are of the snapshot's device with index `device`. Cost: O(swap-ins +
/// control edges of the plan). Thread: pure.
[[nodiscard]] std::vector<ui::SwapRow> swap_rows(const Snapshot& snapshot, std::size_t device = 0);

}  // namespace tideline::app
