#include "core/graph/shapes/rules.h"

#include <algorithm>
#include <vector>

#include "core/graph/shapes/patterns.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline {
namespace {

bool before(const ShapeRuleEntry& a, const ShapeRuleEntry& b) {
  return a.type < b.type;
}

std::vector<ShapeRuleEntry> sorted_rules() {
  std::vector<ShapeRuleEntry> all;
  for (const auto family :
       {shapes::arithmetic_rules(),     shapes::array_rules(),         shapes::container_rules(),
        shapes::control_rules(),        shapes::convolution_rules(),   shapes::elementwise_rules(),
        shapes::gather_rules(),         shapes::image_rules(),         shapes::join_split_rules(),
        shapes::linear_algebra_rules(), shapes::normalization_rules(), shapes::pooling_rules(),
        shapes::product_rules(),        shapes::random_rules(),        shapes::recurrent_rules(),
        shapes::reduction_rules(),      shapes::slice_rules(),         shapes::source_rules(),
        shapes::sparse_rules(),         shapes::state_rules(),         shapes::value_rules()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  std::stable_sort(all.begin(), all.end(), before);
  return all;
}

const std::vector<ShapeRuleEntry>& rules() {
  static const std::vector<ShapeRuleEntry> kRules = sorted_rules();
  return kRules;
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
  const auto rule =
      std::lower_bound(rules().begin(), rules().end(), ShapeRuleEntry{type, nullptr}, before);
  if (rule != rules().end() && rule->type == type) return rule->rule;
  if (shapes::has_pattern(type)) return shapes::by_pattern;
  return is_dataset(type) ? shapes::scalar : nullptr;
}

}  // namespace tideline
