// Which widgets the window has for a viewer, found without a display.
#pragma once

#include <string>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::gui {

/// The labels by which panels record their widgets (render/ui/widgets.h), of those that are visible
/// in a window of 1280 x 720. Thread: one call at a time.
[[nodiscard]] std::vector<std::string> widget_labels(app::Viewer& viewer);

}  // namespace tideline::gui
