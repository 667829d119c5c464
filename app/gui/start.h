// The desktop app: a session behind a window.
#pragma once

#include <functional>

#include "render/model/intent.h"

namespace tideline::gui {

/// Opens the window, runs the actions `first` there, and returns when the user quits, or when
/// `must_end`, which is asked about once a second. Saves the settings and, whenever one changes,
/// unwritten policies as a script beside them, in case the display is lost. Returns the exit code:
/// 1 when no window can be opened, 130 after `must_end`. Messages go to stderr. Thread: the main
/// thread.
[[nodiscard]] int run_gui(const ui::Intents& first, const std::function<bool()>& must_end);

}  // namespace tideline::gui
