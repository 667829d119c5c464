// The quantities that `expect` can check in scripts: values of the session and the view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::app {

/// Checks QUANTITY OPERATOR VALUE with one of the operators == != < <= > >=. Values may be sizes
/// ("4GiB"); words can be compared only with == and !=. Returns an empty text if it holds, else the
/// actual value: "swaps is 12". Errors: kInvalidArgument for a malformed expectation, saying what
/// was expected.
[[nodiscard]] Result<std::string> check_expectation(const Viewer& viewer,
                                                    const std::vector<std::string>& words);

/// Whether the quantity belongs to the plan, so that there must be one.
[[nodiscard]] bool needs_plan(std::string_view quantity);
/// Whether it is one of a graph.
[[nodiscard]] bool needs_graph(std::string_view quantity);

/// All names, for messages and documents.
[[nodiscard]] std::vector<std::string_view> quantity_names();

}  // namespace tideline::app
