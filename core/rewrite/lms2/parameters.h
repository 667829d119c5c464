// The parameters of LMS version 2 for the table of rewriters, bound to its options.
#pragma once

#include <span>

#include "core/rewrite/lms2/options.h"
#include "core/rewrite/values.h"

namespace tideline::lms2 {

/// All parameters, in the order of plan JSON.
[[nodiscard]] std::span<const Parameter> parameters();
/// Options with the values of their parameters; the others have their defaults.
[[nodiscard]] Lms2Options options_of(const Values& values);
/// Sets all parameters in `values` to what `options` has.
void set_values(const Lms2Options& options, Values& values);

/// The parameters that a search tries: threshold, ahead, group-by and sync mode.
[[nodiscard]] std::span<const Parameter* const> swap_parameters();

/// The parameters that list scopes to include and scopes to exclude.
[[nodiscard]] const Parameter& include_scopes();
[[nodiscard]] const Parameter& exclude_scopes();

}  // namespace tideline::lms2
