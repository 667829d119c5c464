// `tideline --self-check`: what a bug report needs to say about this program and this machine.
#pragma once

#include <optional>

#include "app/cli/command_line.h"
#include "app/cli/front.h"

namespace tideline::cli {

/// Must outlive parsing.
class SelfCheck {
 public:
  /// Adds --self-check, and --json, which needs it.
  void add_to(const Command& app);
  /// After parsing: checks if that was asked for, and returns the exit code: kExitCheck if there is
  /// a problem. Takes a few seconds where there is a TensorFlow, and at most four minutes.
  [[nodiscard]] std::optional<int> make(const Front& front) const;

 private:
  bool is_wanted_ = false;
  bool wants_json_ = false;
};

}  // namespace tideline::cli
