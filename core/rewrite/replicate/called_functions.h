// Functions that a tower calls, which all towers share.
#pragma once

#include <optional>
#include <string>

#include "core/rewrite/replicate/context.h"

namespace tideline::replicate {

/// Why towers cannot each call what `op` calls: a function in it writes a variable, or takes
/// elements from a queue or data set. Nullopt when they can, or when `op` calls nothing. Bodies
/// that the file does not have are not looked at. Cost: O(ops of the functions).
[[nodiscard]] std::optional<std::string> why_not_called(const Context& context, OpId op);

}  // namespace tideline::replicate
