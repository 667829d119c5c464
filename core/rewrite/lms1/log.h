// The log of LMS v1, in the reference's words.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/lms1/context.h"

namespace tideline::lms1 {

/// Appends the lines about the graph and the starting ops to `log`.
void log_graph(const Context& context, const std::vector<OpId>& starting,
               std::vector<std::string>& log);

}  // namespace tideline::lms1
