// Manual pages, made from the parser, so that they say what --help says.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_line.h"

namespace tideline::cli {

/// A page of section 1, in roff.
struct ManualPage {
  std::string name;  ///< "tideline-rewrite"
  std::string text;
};

/// One for the program, and one for each verb with its modes. `app` has all verbs.
[[nodiscard]] std::vector<ManualPage> manual_pages(const Command& app);

}  // namespace tideline::cli
