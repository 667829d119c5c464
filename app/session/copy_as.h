// A wish as text that does the same elsewhere: a command line, a call in Python.
#pragma once

#include <string>
#include <string_view>

#include "app/session/wish.h"
#include "core/events/open_graph.h"

namespace tideline::session {

/// The command that writes, to `output`, what the app would write: `tideline rewrite ...`, or
/// `convert` when the policy is off. Quoted for a POSIX shell. Errors: kUnsupported for a value
/// that the command line cannot hold, such as a name with a comma in a list.
[[nodiscard]] Result<std::string> command_line(const events::GraphChoice& graph, const Wish& wish,
                                               const std::string& output);

/// The call of the reference's library with the same parameters, under its names. What that library
/// does not know follows as comments. Errors: kInvalidArgument when the policy is off.
[[nodiscard]] Result<std::string> python_call(const Wish& wish);

/// "model_lms.meta" for "model.meta"; beside it, in the same format.
[[nodiscard]] std::string output_beside(const std::string& path);

/// `word` as one word of a POSIX shell.
[[nodiscard]] std::string shell_quoted(std::string_view word);

}  // namespace tideline::session
