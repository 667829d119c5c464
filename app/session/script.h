// Actions from a text, one a line: what a person does in the window, without one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::session {

/// Where a script stopped, and the exit code of the product for it.
struct ScriptResult {
  int exit_code = 0;    ///< 0, 1 data, 2 usage, 3 an expectation was not met, 130 cancelled
  std::string message;  ///< "tour.txt:3: policy.set: ..."; empty when all went well
};

/// Where a script's words go; either may be empty.
struct ScriptOutput {
  std::function<void(std::string_view text)> print;           ///< of the line `print`
  std::function<void(const ReadGraph& source)> notice_graph;  ///< once for each that is open
};

/// Runs `text` line by line; `name` is for messages. Empty lines and those that begin with # do not
/// count; words are parted by blanks, and "..." or '...' is one word (in "..." a backslash takes
/// the next character as it is). Beside the table of actions a script knows `wait`, `print
/// result|swaps|inspector|state|documents|clipboard`, and `expect QUANTITY OPERATOR VALUE`
/// (quantities: quantities.h). What reads or writes results waits for the work beside. A policy
/// that cannot be fulfilled is an error at the next line that needs its results, and at the end.
[[nodiscard]] ScriptResult run_script(Viewer& viewer, std::string_view text, std::string_view name,
                                      const ScriptOutput& output);

/// The words of a line. Errors: kInvalidArgument for a quote that is not closed.
[[nodiscard]] Result<std::vector<std::string>> split_words(std::string_view line);

}  // namespace tideline::session
