// The options of the program that write what is made of its parser, for packages.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/cli/command_line.h"

namespace tideline::cli {

/// Must outlive parsing.
class MadeOfParser {
 public:
  /// Adds --bash-completion, --zsh-completion, --fish-completion and --man-pages.
  void add_to(const Command& app);
  /// After parsing: does what was asked for and returns the exit code; nullopt if nothing was.
  /// `app` has all verbs.
  [[nodiscard]] std::optional<int> make(const Command& app) const;

 private:
  std::array<bool, 3> wants_ = {};  // completion for bash, zsh, fish
  std::string pages_;               // folder
};

}  // namespace tideline::cli
