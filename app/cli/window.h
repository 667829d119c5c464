// Decides whether the program opens its window instead of running a command line.
#pragma once

#include <optional>

#include "app/cli/command_line.h"
#include "app/cli/front.h"
#include "core/base/error.h"

namespace tideline::cli {

/// The actions with which the window begins: none without arguments; else opening the arguments,
/// if the first one is neither an option nor a verb of `app` and exists on disk, each with the
/// function that --function NAME behind it names. Nullopt for a command line. Errors:
/// kInvalidArgument for another option behind a file.
[[nodiscard]] std::optional<Result<ui::Intents>> window_actions(int argc, char** argv,
                                                                const Command& app);

/// Shows the window until the user quits; returns the exit code. Without a display, or in a build
/// without the window, prints what to do instead.
[[nodiscard]] int run_window(const ui::Intents& first, const Front& front);

}  // namespace tideline::cli
