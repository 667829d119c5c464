// The output of `print` in scripts: the values that the panels show.
#pragma once

#include <string>
#include <string_view>

#include "app/session/viewer.h"

namespace tideline::app {

/// The text for `what`: "result", "swaps", "inspector", "scopes", "state", "documents" or
/// "clipboard". Ends with a newline. Errors: kInvalidArgument for other words, and when there is
/// nothing to print: no graph, nothing selected.
[[nodiscard]] Result<std::string> print_text(const Viewer& viewer, std::string_view what);

}  // namespace tideline::app
