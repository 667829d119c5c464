// When the program is a window and no command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/front.h"

namespace tideline::cli {

/// What the window is to open: nothing when there are no arguments, else the arguments, if the
/// first one is no option and no verb of `app` but exists on disk. Without a value it is a command
/// line.
[[nodiscard]] std::optional<std::vector<std::string>> window_paths(int argc, char** argv,
                                                                   const Command& app);

/// Shows the window until the user quits; returns the exit code. Where there is no display, or the
/// build has no window, says what to do instead.
[[nodiscard]] int run_window(const std::vector<std::string>& paths, const Front& front);

}  // namespace tideline::cli
