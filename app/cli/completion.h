// Completion scripts for shells, made from the parser, so that they know every verb and option.
#pragma once

#include <string>

#include "app/cli/command_line.h"

namespace tideline::cli {

/// Each completes verbs, modes, options, the values of options that have a few, and files. `app`
/// has all verbs.
[[nodiscard]] std::string bash_completion(const Command& app);
[[nodiscard]] std::string zsh_completion(const Command& app);
[[nodiscard]] std::string fish_completion(const Command& app);

}  // namespace tideline::cli
