// The shape rules by family, one file each; rules.cc merges them into one table.
//
// Each is in the file of its name. An op type occurs in one family only.
#pragma once

#include <span>

#include "core/graph/shapes/rules.h"

namespace tideline::shapes {

extern const std::span<const ShapeRuleEntry> kArithmeticRules;
extern const std::span<const ShapeRuleEntry> kArrayRules;
extern const std::span<const ShapeRuleEntry> kContainerRules;
extern const std::span<const ShapeRuleEntry> kControlRules;
extern const std::span<const ShapeRuleEntry> kConvolutionRules;
extern const std::span<const ShapeRuleEntry> kElementwiseRules;
extern const std::span<const ShapeRuleEntry> kGatherRules;
extern const std::span<const ShapeRuleEntry> kImageRules;
extern const std::span<const ShapeRuleEntry> kJoinSplitRules;
extern const std::span<const ShapeRuleEntry> kLinearAlgebraRules;
extern const std::span<const ShapeRuleEntry> kNormalizationRules;
extern const std::span<const ShapeRuleEntry> kPoolingRules;
extern const std::span<const ShapeRuleEntry> kProductRules;
extern const std::span<const ShapeRuleEntry> kRandomRules;
extern const std::span<const ShapeRuleEntry> kRecurrentRules;
extern const std::span<const ShapeRuleEntry> kReductionRules;
extern const std::span<const ShapeRuleEntry> kSliceRules;
extern const std::span<const ShapeRuleEntry> kSourceRules;
extern const std::span<const ShapeRuleEntry> kSparseRules;
extern const std::span<const ShapeRuleEntry> kStateRules;
extern const std::span<const ShapeRuleEntry> kValueRules;

}  // namespace tideline::shapes
