// How verbs open what they work on: what reading noticed is said on standard error.
#pragma once

#include <string>

#include "app/cli/commands.h"
#include "app/session/sized_graph.h"
#include "core/base/progress.h"

namespace tideline::cli {

/// Whether a verb says itself, in its report, what reading noticed.
enum class Notices : std::uint8_t { kWarn, kInReport };

/// As session::read_graph.
[[nodiscard]] Result<session::ReadGraphPtr> open_input(const events::GraphChoice& choice,
                                                       Progress& progress,
                                                       Notices notices = Notices::kWarn,
                                                       io::Cycles cycles = io::Cycles::kRefuse);

/// With what the options say about sizes, and with the traced step in `run_metadata` unless that is
/// empty. What reading the traced step noticed is said unless it is in the verb's report. Errors:
/// those of session::read_with_trace.
[[nodiscard]] Result<session::SizedGraph> open_sized_graph(const GraphArgument& graph,
                                                           const std::string& run_metadata,
                                                           Progress& progress,
                                                           Notices of_run = Notices::kWarn);

/// "tideline: warning: log: damaged event file ...", a line for each entry of `noticed` that is
/// more than information. Not silenced by --quiet: what follows may be about less than the user
/// has.
void warn(const std::string& path, const Diagnostics& noticed);

}  // namespace tideline::cli
