// What ops demand of their inputs: knowledge that flows against the edges.
#pragma once

#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline {

/// Whether ops of this type demand anything.
[[nodiscard]] bool makes_demands(std::string_view type);

/// The shape that the op at hand, of a type that makes demands, needs input `input` to have if it
/// is to run at all; kNothing when it takes any.
[[nodiscard]] DimsId demanded_shape(RuleContext& context, std::size_t input);

}  // namespace tideline
