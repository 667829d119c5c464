// Op types whose shapes need no rule of their own: what comes out stands in one line.
#pragma once

#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline::shapes {

/// Whether the table has a line for the op type. Cost: a binary search.
[[nodiscard]] bool has_pattern(std::string_view type);
/// The rule of all types in the table.
void by_pattern(RuleContext& context);
[[nodiscard]] std::size_t pattern_count();

}  // namespace tideline::shapes
