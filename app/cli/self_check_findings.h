// What --self-check finds without a window.
#pragma once

#include <vector>

#include "app/engine/checked_part.h"

namespace tideline::cli {

/// The build, the system, TensorFlow, devices and checkpoint backends. What may crash or hang is
/// looked at in processes of its own, which have limits of time.
[[nodiscard]] std::vector<app::CheckedPart> findings_of_machine();

}  // namespace tideline::cli
