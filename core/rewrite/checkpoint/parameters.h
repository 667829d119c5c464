// The parameters of `checkpoint` for the table of rewriters, bound to its options.
#pragma once

#include <span>

#include "core/rewrite/checkpoint/options.h"
#include "core/rewrite/values.h"

namespace tideline::checkpoint_ops {

/// All parameters, in the order of plan JSON.
[[nodiscard]] std::span<const Parameter> parameters();
[[nodiscard]] CheckpointOptions options_of(const Values& values);
/// Sets all parameters in `values` to what `options` has.
void set_values(const CheckpointOptions& options, Values& values);

}  // namespace tideline::checkpoint_ops
