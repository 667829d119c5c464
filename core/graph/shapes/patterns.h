// Op types whose output shapes are described by one line of a table instead of a rule.
#pragma once

#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline::shapes {

/// Whether the table has a line for the op type. Cost: a binary search.
[[nodiscard]] bool has_pattern(std::string_view type);
/// The rule that applies the table. Precondition: has_pattern of the op's type.
void by_pattern(RuleContext& context);

}  // namespace tideline::shapes
