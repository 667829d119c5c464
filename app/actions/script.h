// Runs scripts: the actions of the window as text, one per line, without a window.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/viewer.h"

namespace tideline::app {

/// How a script ended.
struct ScriptResult {
  int exit_code = 0;    ///< 0 success, 1 data, 2 usage, 3 an expectation failed, 130 cancelled
  std::string message;  ///< "tour.txt:3: policy.set: ..."; empty on success
};

/// Receivers of a script's output; either may be empty.
struct ScriptOutput {
  std::function<void(std::string_view text)> print;           ///< gets the text of `print`
  std::function<void(const ReadGraph& source)> notice_graph;  ///< called once for each opened graph
  std::function<void(const Warning& warning)> warn;           ///< once for each plan that has it
};

/// Runs `text` line by line; `name` is used in messages. Empty lines and lines that begin with #
/// are skipped. Words are separated by blanks; "..." or '...' is one word (in "..." a backslash
/// quotes the next character). Besides the table of actions there are `wait`, `print
/// result|swaps|inspector|scopes|state|documents|checkpoint|clipboard`, and `expect QUANTITY
/// OPERATOR VALUE` (quantities.h). While a log is shown, a line that needs a graph opens the log's
/// graph and shows it. Lines that read or write results first wait for background work. If there is
/// no plan for the policy, the next line that needs its results fails, or else the end of the
/// script.
[[nodiscard]] ScriptResult run_script(Viewer& viewer, std::string_view text, std::string_view name,
                                      const ScriptOutput& output);

/// The words of a line. Errors: kInvalidArgument for a quote that is not closed.
[[nodiscard]] Result<std::vector<std::string>> split_words(std::string_view line);

}  // namespace tideline::app
