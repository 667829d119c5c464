// The entry of section-wise training in the table of rewriters.
#pragma once

#include "core/rewrite/bound_parameter.h"
#include "core/rewrite/rewriter.h"
#include "core/rewrite/sections/options.h"

namespace tideline {

template <>
std::span<const BoundParameter<SectionsOptions>> bound_parameters<SectionsOptions>();

namespace sections {
[[nodiscard]] const Rewriter& rewriter();
}

}  // namespace tideline
