// The parameters of the rewriter `sections`.
#pragma once

#include <span>

#include "core/rewrite/parameter.h"
#include "core/rewrite/sections/options.h"
#include "core/rewrite/values.h"

namespace tideline::sections {

[[nodiscard]] std::span<const Parameter> parameters();
[[nodiscard]] SectionsOptions options_of(const Values& values);
void set_values(const SectionsOptions& options, Values& values);

}  // namespace tideline::sections
