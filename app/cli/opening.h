// Opens graphs for the verbs, and prints the diagnostics of reading to standard error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/policy_options.h"
#include "app/engine/sized_graph.h"
#include "core/base/progress.h"
#include "core/rewrite/warning.h"

namespace tideline::cli {

/// Whether diagnostics are printed here, or by the verb in its report.
enum class Notices : std::uint8_t { kWarn, kInReport };

/// As app::read_graph.
[[nodiscard]] Result<app::ReadGraphPtr> open_input(const events::GraphChoice& choice,
                                                   Progress& progress,
                                                   Notices notices = Notices::kWarn,
                                                   io::Cycles cycles = io::Cycles::kRefuse);

/// A traced step is of the graph as it is, and cannot be given with --plan: prints that and returns
/// the exit code.
[[nodiscard]] std::optional<int> refuse_plan(const GraphArgument& graph,
                                             const std::string& run_metadata);

/// With the options about sizes and, if `run_metadata` is not empty, the traced step in it.
/// Steps are run as `run` says. `of_run` is about the diagnostics of the traced
/// step. With a plan, the graph that it gives. Errors: those of app::read_with_trace and
/// open_planned.
[[nodiscard]] Result<app::SizedGraph> open_sized_graph(const GraphArgument& graph,
                                                       const std::string& run_metadata,
                                                       RunModel run, Progress& progress,
                                                       Notices of_run = Notices::kWarn);

/// Prints "tideline: warning: log: damaged event file ...", a line for each entry of `noticed`
/// above Severity::kInfo. --quiet does not silence it, because data may be missing from the
/// results.
void warn(const std::string& path, const Diagnostics& noticed);
/// The same for the warnings of a plan.
void warn(const std::vector<Warning>& warnings);

}  // namespace tideline::cli
