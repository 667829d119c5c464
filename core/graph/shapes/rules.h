// Which rule gives the shapes of which op type.
#pragma once

#include <span>
#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline {

/// Sets what is known of the outputs of the op at hand. Must be monotone: more knowledge of the
/// inputs never gives less, or different, knowledge of the outputs. Pure but for cells.
using ShapeRule = void (*)(RuleContext&);

struct ShapeRuleEntry {
  std::string_view type;
  ShapeRule rule;
};

/// The rule of an op type; null when there is none. Cost: a binary search. Thread: pure.
[[nodiscard]] ShapeRule shape_rule(std::string_view type);

/// How many op types have a rule.
[[nodiscard]] std::size_t shape_rule_count();

}  // namespace tideline
