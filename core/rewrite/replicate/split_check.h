// Whether the tensors that the user named can be split.
#pragma once

#include "core/base/error.h"
#include "core/rewrite/replicate/context.h"
#include "core/rewrite/replicate/targets.h"

namespace tideline::replicate {

/// Precondition: the tensors exist. Errors: kUnsupported for a scalar, a tensor of unknown type or
/// in a loop, and one whose batch size constants of the graph may depend on; for the three of a
/// sparse tensor also when they have not its ranks and types.
[[nodiscard]] Status check_split(const Context& context, const Targets& targets);

}  // namespace tideline::replicate
