// The table of swaps: one row for each swap-in.
#pragma once

#include <cstddef>
#include <vector>

#include "app/engine/snapshot.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// The rows in the order of the plan: by tensor, then by group, then those of swaps that the file
/// holds already; with the times of the device at index `device` of the snapshot. Cost: O(swap-ins
/// + control edges of the plan). Thread: pure.
[[nodiscard]] std::vector<ui::SwapRow> swap_rows(const Snapshot& snapshot, std::size_t device = 0);

}  // namespace tideline::app
