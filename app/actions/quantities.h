// The quantities that `expect` can check in scripts: values of the session and the view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::app {

/// Whether an expectation holds, and both of its sides with their units: "device-peak is 3.79 GiB,
/// expected <= 3.00 GiB".
struct Finding {
  bool holds = false;
  std::string text;
};

/// Checks QUANTITY OPERATOR VALUE with one of the operators == != < <= > >=. Values may be sizes
/// ("4GiB"); words can be compared only with == and !=. Errors: kInvalidArgument for a malformed
/// expectation, saying what was expected, and without a graph for a quantity of one.
[[nodiscard]] Result<Finding> find_expectation(const Viewer& viewer,
                                               const std::vector<std::string>& words);
/// The same; an empty text if it holds.
[[nodiscard]] Result<std::string> check_expectation(const Viewer& viewer,
                                                    const std::vector<std::string>& words);
/// Finds what is wrong with an expectation whatever is open: its number of words, quantity,
/// operator, and a value that is no size. Errors: kInvalidArgument.
[[nodiscard]] Status check_form(const std::vector<std::string>& words);

/// The value with its unit, for people: "336.00 MiB"; "not known" without a graph for a quantity of
/// one. Precondition: there is a plan if the quantity needs one.
[[nodiscard]] std::string quantity_text(const Viewer& viewer, std::string_view name);

/// Whether the quantity belongs to the plan, so that there must be one.
[[nodiscard]] bool needs_plan(std::string_view quantity);
/// Whether it is one of a graph.
[[nodiscard]] bool needs_graph(std::string_view quantity);

/// All names, for messages and documents.
[[nodiscard]] std::vector<std::string_view> quantity_names();

}  // namespace tideline::app
