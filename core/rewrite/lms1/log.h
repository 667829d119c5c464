// What LMS v1 says about its work.
#pragma once

#include <string>
#include <vector>

#include "core/rewrite/lms1/context.h"

namespace tideline::lms1 {

void log_graph(const Context& context, const std::vector<OpId>& starting,
               std::vector<std::string>& log);

}  // namespace tideline::lms1
