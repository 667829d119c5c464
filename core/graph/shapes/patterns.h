// Op types whose output shapes are described by one line of a table instead of a rule.
#pragma once

#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline::shapes {

/// The shapes of the outputs of an op type as the table has them (patterns.cc); empty when it has
/// none. Cost: a hash.
[[nodiscard]] std::string_view pattern_of(std::string_view type);
/// The rule that applies the table. Precondition: the op's type has a pattern.
void by_pattern(RuleContext& context);

}  // namespace tideline::shapes
