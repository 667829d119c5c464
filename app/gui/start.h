// The desktop app: a session behind a window.
#pragma once

#include <string>
#include <vector>

namespace tideline::gui {

/// Opens the window with the first of `paths`, and returns when the user quits. Saves the settings
/// and, whenever it changes, an unwritten policy as a script beside them, in case the display is
/// lost. Returns the exit code: 1 when no window can be opened. Messages go to stderr.
/// Thread: the main thread.
[[nodiscard]] int run_gui(const std::vector<std::string>& paths);

}  // namespace tideline::gui
