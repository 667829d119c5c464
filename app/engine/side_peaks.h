// The device memory of the two graphs that are compared, in the numbers of the card.
#pragma once

#include "app/engine/shown_changes.h"
#include "app/engine/snapshot.h"

namespace tideline::app {

/// Of a step without the plan, on the first device.
[[nodiscard]] SideMemory memory_of_original(const Snapshot& shown);
/// Of a step with it. Without a timeline where the plan makes several runs of a step.
[[nodiscard]] SideMemory memory_of_planned(const Snapshot& shown);
/// Of a step of another graph, of the same sizes, in the same budget; without a timeline where it
/// has no such step. Cost: that of simulate_device.
[[nodiscard]] SideMemory memory_beside(const Snapshot& shown, const ReadGraphPtr& other);

}  // namespace tideline::app
