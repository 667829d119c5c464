// The shape rules by family, one file each; rules.cc merges them into one table.
//
// Each function returns the rules of its family: static data, valid for the life of the program. An
// op type occurs in one family only. The name of the function is the name of the file that defines
// it. Cost: O(1). Thread: any.
#pragma once

#include <span>

#include "core/graph/shapes/rules.h"

namespace tideline::shapes {

[[nodiscard]] std::span<const ShapeRuleEntry> arithmetic_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> array_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> container_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> control_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> convolution_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> elementwise_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> gather_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> image_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> join_split_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> linear_algebra_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> normalization_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> pooling_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> product_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> random_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> recurrent_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> reduction_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> slice_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> source_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> sparse_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> state_rules();
[[nodiscard]] std::span<const ShapeRuleEntry> value_rules();

}  // namespace tideline::shapes
