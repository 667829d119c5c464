// The table of swaps: rows of the swaps that the file holds already.
#pragma once

#include <cstdint>
#include <vector>

#include "app/engine/snapshot.h"
#include "core/rewrite/lms/swap_spans.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// One row for each swap-in among the ops of the shown graph, with the times of `device`.
/// Cost: O(ops + copies). Thread: pure.
[[nodiscard]] std::vector<ui::SwapRow> file_swap_rows(const Snapshot& snapshot,
                                                      const DeviceResult& device);

/// A row with what `span` says.
[[nodiscard]] ui::SwapRow row_of(const Graph& graph, const SwapSpan& span);

/// Of a swap-in: when its copy may begin, when its first reader runs, and how long the copy takes.
struct SwapInTimes {
  double begins_ns = 0;
  double needed_ns = 0;
  double copy_ns = 0;
};
/// Sets transfer_ns and slack_ns of `row`. The reader runs later by the row's wait_ns, which is set
/// before; the slack is what there was without it.
void set_times(const SwapInTimes& times, ui::SwapRow& row);

}  // namespace tideline::app
