// Step 4 of LMS v2: running the ops of some levels one after the other.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms_plan.h"

namespace tideline::lms2 {

/// Control edges that chain the ops of the levels which the options select. `variables`: all
/// variable ops; levels up to the highest one of a "<variable>/Assign" op stay as they are.
/// `log` receives the lines about it. Errors: kInvalidArgument from select_levels.
[[nodiscard]] Result<std::vector<ControlEdge>> serialize_levels(const Context& context,
                                                                const std::vector<OpId>& variables,
                                                                std::vector<std::string>& log);

}  // namespace tideline::lms2
