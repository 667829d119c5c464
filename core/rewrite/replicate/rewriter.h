// Data-parallel towers as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/replicate/options.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

template <>
std::span<const BoundParameter<ReplicateOptions>> bound_parameters<ReplicateOptions>();

namespace replicate {
[[nodiscard]] const Rewriter& rewriter();
}

}  // namespace tideline
