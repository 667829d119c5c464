// What --self-check says of the window: display, OpenGL, fonts and settings.
#pragma once

#include <vector>

#include "app/engine/checked_part.h"

namespace tideline::gui {

/// To be called without a window. Drivers are looked at in processes of their own, each of which
/// has half a minute. Creates nothing.
[[nodiscard]] std::vector<app::CheckedPart> findings_of_window();

}  // namespace tideline::gui
