// Why a plan of LMS swaps nothing.
#pragma once

#include <string_view>

#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

/// Lists every tensor in `not_swapped` of a plan that swaps and lists none. They have one reason:
/// the graph has swap ops already, nothing is necessary, or else `why_nothing`. Errors: those of
/// TensorTable::build.
[[nodiscard]] Status explain_nothing(const RewriteInput& input, std::string_view why_nothing,
                                     LmsPlan& plan);

}  // namespace tideline
