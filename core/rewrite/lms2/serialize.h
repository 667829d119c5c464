// Serialization of LMS v2: makes the ops of selected levels run one after the other.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

/// Adds control edges to `plan` that chain the ops of the levels selected by the options.
/// `variables`: all variable ops; levels up to the highest level of a "<variable>/Assign" op are
/// not serialized. An edge that would close a cycle (possible because the compatible levels ignore
/// loops) is omitted, with a notice. Errors: kInvalidArgument from select_levels.
[[nodiscard]] Status serialize_levels(const Context& context, const std::vector<OpId>& variables,
                                      LmsPlan& plan);

}  // namespace tideline::lms2
