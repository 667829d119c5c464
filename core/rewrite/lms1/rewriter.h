// LMS version 1 as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/lms1/options.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

template <>
std::span<const BoundParameter<Lms1Options>> bound_parameters<Lms1Options>();

namespace lms1 {
[[nodiscard]] const Rewriter& rewriter();
}

}  // namespace tideline
