// LMS version 2 as an entry of the table of rewriters.
#pragma once

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/lms2/options.h"
#include "core/rewrite/rewriter.h"

namespace tideline {

template <>
std::span<const BoundParameter<Lms2Options>> bound_parameters<Lms2Options>();

namespace lms2 {
[[nodiscard]] const Rewriter& rewriter();
}

}  // namespace tideline
