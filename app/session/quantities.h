// What can be expected in a script: numbers and words about the session and the view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::session {

/// QUANTITY OPERATOR VALUE, with an operator of == != < <= > >=. Sizes may be written as such
/// ("4GiB"); words are only equal or not. Returns an empty text when it holds, else what is
/// instead: "swaps is 12". Errors: kInvalidArgument for what is no expectation, naming what was
/// expected.
[[nodiscard]] Result<std::string> check_expectation(const Viewer& viewer,
                                                    const std::vector<std::string>& words);

/// Whether the quantity is one of the plan: of no use while the policy cannot be fulfilled.
[[nodiscard]] bool needs_plan(std::string_view quantity);

/// All names, for messages and documents.
[[nodiscard]] std::vector<std::string_view> quantity_names();

}  // namespace tideline::session
