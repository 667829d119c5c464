// What the result says of the levels that tables are limited to.
#pragma once

#include <cstddef>

#include "render/model/result_lines.h"

namespace tideline::ui {

/// What happens at these levels on a device, with the button that takes the limit back. Cost: that
/// of level_stretch_lines. Precondition: the model has a scene.
[[nodiscard]] ResultLine limit_line(const UiModel& model, std::size_t device,
                                    const LevelStretch& limit);

}  // namespace tideline::ui
