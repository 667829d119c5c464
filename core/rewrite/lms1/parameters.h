// The parameters of LMS version 1 for the table of rewriters, bound to its options.
#pragma once

#include <span>

#include "core/rewrite/lms1/options.h"
#include "core/rewrite/values.h"

namespace tideline::lms1 {

/// All parameters, in the order of plan JSON.
[[nodiscard]] std::span<const Parameter> parameters();
/// Options with the values of their parameters; the others have their defaults.
[[nodiscard]] Lms1Options options_of(const Values& values);
/// Sets all parameters in `values` to what `options` has.
void set_values(const Lms1Options& options, Values& values);

/// The parameters that list scopes to include and scopes to exclude.
[[nodiscard]] const Parameter& include_scopes();
[[nodiscard]] const Parameter& exclude_scopes();

}  // namespace tideline::lms1
