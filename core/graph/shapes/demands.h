// Shapes that ops require of their inputs: inference against the direction of the edges.
#pragma once

#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline {

/// Whether ops of this type require a shape of an input.
[[nodiscard]] bool makes_demands(std::string_view type);

/// The shape that the current op requires of input `input`, without which it would fail at run
/// time; kNothing when any shape is accepted. Precondition: makes_demands(type). Cost: O(rank).
[[nodiscard]] DimsId demanded_shape(RuleContext& context, std::size_t input);

}  // namespace tideline
