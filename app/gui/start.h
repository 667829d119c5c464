// The desktop app: a session behind a window.
#pragma once

#include <string>
#include <vector>

namespace tideline::gui {

/// Opens the window, and `paths` in it, the first one in front, and stays until the user quits.
/// Settings are kept; policies that were not written are kept beside them as a script whenever one
/// changed, so that nothing is lost when the display goes away. Returns the exit code: 1 when no
/// window can be opened. Messages go to stderr. Thread: the main thread.
[[nodiscard]] int run_gui(const std::vector<std::string>& paths);

}  // namespace tideline::gui
