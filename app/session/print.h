// What a script prints: the same values as the panels show.
#pragma once

#include <string>
#include <string_view>

#include "app/session/viewer.h"

namespace tideline::session {

/// "result", "swaps", "inspector", "state", "documents", "clipboard". Ends with a newline. Errors:
/// kInvalidArgument for another word, and for what is not there: no graph, nothing selected.
[[nodiscard]] Result<std::string> print_text(const Viewer& viewer, std::string_view what);

}  // namespace tideline::session
