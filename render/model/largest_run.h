// The run of a cycle that decides what the cycle needs.
#pragma once

#include "render/model/ui_model.h"

namespace tideline::ui {

/// The run that needs most; null where no peaks of runs are known. Cost: O(runs).
[[nodiscard]] const RunRow* largest_run(const UiModel& model);

}  // namespace tideline::ui
