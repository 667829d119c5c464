// The parameters of `replicate` for the table of rewriters, bound to its options.
#pragma once

#include <span>

#include "core/rewrite/replicate/options.h"
#include "core/rewrite/values.h"

namespace tideline::replicate {

/// All parameters, in the order of plan JSON.
[[nodiscard]] std::span<const Parameter> parameters();
/// Options with the values of their parameters; the others have their defaults.
[[nodiscard]] ReplicateOptions options_of(const Values& values);
/// Sets all parameters in `values` to what `options` has.
void set_values(const ReplicateOptions& options, Values& values);

}  // namespace tideline::replicate
