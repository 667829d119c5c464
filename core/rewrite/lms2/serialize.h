// Step 4 of LMS v2: running the ops of some levels one after the other.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms_plan.h"

namespace tideline::lms2 {

/// Adds control edges to `plan` that chain the ops of the levels which the options select.
/// `variables`: all variable ops; levels up to the highest one of a "<variable>/Assign" op stay as
/// they are. An edge that would close a cycle (the compatible levels do not see through loops) is
/// left out and noted. Errors: kInvalidArgument from select_levels.
[[nodiscard]] Status serialize_levels(const Context& context, const std::vector<OpId>& variables,
                                      LmsPlan& plan);

}  // namespace tideline::lms2
