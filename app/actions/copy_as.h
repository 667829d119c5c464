// Converts a wish to an equivalent command line or Python call.
#pragma once

#include <string>
#include <string_view>

#include "app/engine/plan_command.h"
#include "app/session/wish.h"
#include "core/events/logged_trace.h"
#include "core/events/open_graph.h"

namespace tideline::app {

/// The command that writes to `output` what the app would write: `tideline rewrite ...`, or
/// `convert` when the policy is off. `trace` is the traced step whose sizes and times the plan
/// uses; none if its path is empty. Quoted for a POSIX shell, see Reader. Errors: kUnsupported for
/// a value that cannot be expressed on the command line, such as a list item with a comma, or
/// different choices of a run for graph and traced step.
[[nodiscard]] Result<std::string> command_line(const events::GraphChoice& graph,
                                               const events::TraceChoice& trace, const Wish& wish,
                                               const std::string& output,
                                               Reader reader = Reader::kPaste);

/// The call of the reference's Python library with the same parameters under its names. What the
/// library does not have follows as `tideline_options`, which Tideline's own (tideline.lms) reads
/// and the reference's ignores. Errors: kInvalidArgument when the policy is off; kUnsupported as
/// above.
[[nodiscard]] Result<std::string> python_call(const events::TraceChoice& trace, const Wish& wish);

/// The default output, "model_lms.meta" for "model.meta": in the same folder and format.
[[nodiscard]] std::string output_beside(const std::string& path);

}  // namespace tideline::app
