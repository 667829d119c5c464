// The replacement of savers as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/checkpoint/options.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

template <>
std::span<const BoundParameter<CheckpointOptions>> bound_parameters<CheckpointOptions>();

namespace checkpoint_ops {
[[nodiscard]] const Rewriter& rewriter();
}

}  // namespace tideline
