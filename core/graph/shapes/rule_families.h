// The rules by family, one file each; rules.cc puts them into one table.
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
