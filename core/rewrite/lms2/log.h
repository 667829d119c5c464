// The log lines of the LMS tutorial, as the reference prints them at debug level 0.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/variables.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

/// Appends the lines about the graph, whose trainable variables have `parameters` bytes.
void log_graph(const Context& context, Bytes parameters, std::vector<std::string>& log);
/// Appends the lines about the options.
void log_parameters(const Lms2Options& options, std::vector<std::string>& log);
/// Appends the line about the plan.
void log_result(const LmsPlan& plan, std::vector<std::string>& log);
/// Adds warnings about conditions under which nothing, or less than expected, can be swapped.
void note_ineffective(const Context& context, std::vector<Warning>& warnings);
/// For a plan without swaps: adds a notice if loops are the reason.
void note_loops(const Context& context, std::vector<Warning>& warnings);
/// Says that lists are swapped, and how many of them are of unknown size.
void note_lists(LmsPlan& plan);

}  // namespace tideline::lms2
