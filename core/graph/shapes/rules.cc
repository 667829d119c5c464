#include "core/graph/shapes/rules.h"

#include <unordered_map>

#include "core/base/parse.h"
#include "core/graph/shapes/patterns.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline {
namespace {

std::unordered_map<std::string_view, ShapeRule> all_rules() {
  std::unordered_map<std::string_view, ShapeRule> rules;
  for (const auto family :
       {shapes::arithmetic_rules(),     shapes::array_rules(),         shapes::container_rules(),
        shapes::control_rules(),        shapes::convolution_rules(),   shapes::elementwise_rules(),
        shapes::gather_rules(),         shapes::image_rules(),         shapes::join_split_rules(),
        shapes::linear_algebra_rules(), shapes::normalization_rules(), shapes::pooling_rules(),
        shapes::product_rules(),        shapes::random_rules(),        shapes::recurrent_rules(),
        shapes::reduction_rules(),      shapes::slice_rules(),         shapes::source_rules(),
        shapes::sparse_rules(),         shapes::state_rules(),         shapes::value_rules()}) {
    for (ShapeRuleEntry entry : family) {
      while (!entry.types.empty()) rules.emplace(take_until(entry.types, ' '), entry.rule);
    }
  }
  return rules;
}

// A dataset is one variant, whatever it yields: ...Dataset, ...DatasetV3.
bool is_dataset(std::string_view type) {
  if (const std::size_t mark = type.rfind('V'); mark != std::string_view::npos) {
    const std::string_view digits = type.substr(mark + 1);
    if (digits.size() == 1 && digits[0] >= '2' && digits[0] <= '9') type = type.substr(0, mark);
  }
  return type.ends_with("Dataset");
}

}  // namespace

ShapeRule shape_rule(std::string_view type) {
  static const auto kRules = all_rules();
  if (const auto rule = kRules.find(type); rule != kRules.end()) return rule->second;
  const std::string_view pattern = shapes::pattern_of(type);
  if (pattern == "=0") return shapes::same_as_first;
  if (!pattern.empty() && pattern != "[]") return shapes::by_pattern;
  return !pattern.empty() || is_dataset(type) ? shapes::scalar : nullptr;
}

}  // namespace tideline
