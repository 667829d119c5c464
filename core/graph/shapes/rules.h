// The table of shape rules by op type.
#pragma once

#include <string_view>

#include "core/graph/shapes/rule_context.h"

namespace tideline {

/// Sets what is known about the outputs of the current op. Must be monotone: more knowledge about
/// the inputs never gives less, or contradicting, knowledge about the outputs. Pure except for
/// cells.
using ShapeRule = void (*)(RuleContext&);

struct ShapeRuleEntry {
  std::string_view types;  ///< separated by blanks
  ShapeRule rule;
};

/// The rule of an op type; null when there is none. Cost: a hash. Thread: pure.
[[nodiscard]] ShapeRule shape_rule(std::string_view type);

}  // namespace tideline
