// The device memory of the two graphs that are compared, in the numbers of the card.
#pragma once

#include <optional>

#include "app/engine/snapshot.h"

namespace tideline::app {

/// Of a step without the plan, on the first device.
[[nodiscard]] Bytes peak_of_original(const Snapshot& shown);
/// Of a step with it. Nullopt where the plan makes several runs of a step.
[[nodiscard]] std::optional<Bytes> peak_of_planned(const Snapshot& shown);
/// Of a step of another graph, of the same sizes, in the same budget; nullopt where it has no such
/// step. Cost: that of simulate_device.
[[nodiscard]] std::optional<Bytes> peak_beside(const Snapshot& shown, const ReadGraphPtr& other);

}  // namespace tideline::app
