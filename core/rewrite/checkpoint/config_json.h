// What a configuration of the ops may be.
#pragma once

#include <string>

#include "core/base/error.h"

namespace tideline::checkpoint_ops {

/// The ops put the prefix into the configuration: it is empty, or a JSON object without "path".
/// Errors: kInvalidArgument naming the parameter; the ops' own errors have the same words.
[[nodiscard]] Status check_config(const std::string& config);

}  // namespace tideline::checkpoint_ops
