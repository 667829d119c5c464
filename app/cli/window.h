// Decides whether the program opens its window instead of running a command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"

namespace tideline::cli {

/// The paths to open in the window: none without arguments; else the arguments, if the first one is
/// neither an option nor a verb of `app` and exists on disk. Nullopt for a command line.
[[nodiscard]] std::optional<std::vector<std::string>> window_paths(int argc, char** argv,
                                                                   const Command& app);

/// Shows the window until the user quits; returns the exit code. Without a display, or in a build
/// without the window, prints what to do instead.
[[nodiscard]] int run_window(const std::vector<std::string>& paths);

}  // namespace tideline::cli
