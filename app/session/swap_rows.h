// The table of swaps: one row for each swap-in.
#pragma once

#include <vector>

#include "app/session/snapshot.h"
#include "render/ui/ui_model.h"

namespace tideline::session {

/// The rows in the order of the plan: by tensor, then by group. Cost: O(swap-ins + control edges of
/// the plan). Thread: pure.
[[nodiscard]] std::vector<ui::SwapRow> swap_rows(const Snapshot& snapshot);

}  // namespace tideline::session
