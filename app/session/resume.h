// The actions that lead from a freshly opened graph to a wish.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/wish.h"
#include "render/model/intent.h"

namespace tideline::app {

/// Actions that make `wish` of the first wish of the same graph, which has `levels` levels. A
/// device profile from a file is left out: its file may not be there any more. Cost: O(parameters).
/// Thread: pure.
[[nodiscard]] ui::Intents actions_for(const Wish& wish, std::int32_t levels);

}  // namespace tideline::app
