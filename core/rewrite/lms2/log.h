// The log lines of the LMS tutorial, as the reference prints them at debug level 0.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/variables.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline::lms2 {

/// Appends the lines about the graph. Errors: those of variable_bytes.
[[nodiscard]] Status log_graph(const Context& context, const Variables& variables,
                               std::vector<std::string>& log);
/// Appends the lines about the options.
void log_parameters(const Lms2Options& options, std::vector<std::string>& log);
/// Appends the line about the plan.
void log_result(const RewritePlan& plan, std::vector<std::string>& log);
/// Adds notices about conditions under which nothing, or less than expected, can be swapped.
void note_ineffective(const Context& context, std::vector<std::string>& notices);
/// For a plan without swaps: adds a notice if loops are the reason.
void note_loops(const Context& context, std::vector<std::string>& notices);

}  // namespace tideline::lms2
