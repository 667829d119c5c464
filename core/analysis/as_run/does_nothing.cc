// Source: TensorFlow's constant folding and arithmetic optimizers (behaviour only). Tested by
// unit/analysis/as_run/folding_test.cc.
#include "core/analysis/as_run/does_nothing.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tideline {
namespace {

constexpr std::array<std::pair<std::string_view, DoesNothingIf>, 21> kRules = {{
    {"AddN", DoesNothingIf::kOneInput},     {"All", DoesNothingIf::kNoAxes},
    {"Any", DoesNothingIf::kNoAxes},        {"BroadcastTo", DoesNothingIf::kSameShape},
    {"Cast", DoesNothingIf::kSameType},     {"Identity", DoesNothingIf::kAlways},
    {"Max", DoesNothingIf::kNoAxes},        {"Mean", DoesNothingIf::kNoAxes},
    {"Min", DoesNothingIf::kNoAxes},        {"MirrorPad", DoesNothingIf::kSameShape},
    {"Pad", DoesNothingIf::kSameShape},     {"PadV2", DoesNothingIf::kSameShape},
    {"Prod", DoesNothingIf::kNoAxes},       {"Reshape", DoesNothingIf::kSameShape},
    {"Slice", DoesNothingIf::kSameShape},   {"Snapshot", DoesNothingIf::kAlways},
    {"Squeeze", DoesNothingIf::kSameShape}, {"StopGradient", DoesNothingIf::kAlways},
    {"Sum", DoesNothingIf::kNoAxes},        {"Tile", DoesNothingIf::kSameShape},
    {"Transpose", DoesNothingIf::kInOrder},
}};

bool is_same_shape(const FoldedOpView& view) {
  if (view.shape != view.input_shape) return false;
  const Dims* dims = view.lists.find(view.shape);
  return dims != nullptr &&
         std::none_of(dims->begin(), dims->end(), [](Dim dim) { return dim.is_unknown(); });
}

bool is_same_type(const FoldedOpView& view) {
  const auto from = view.graph.attribute(view.op, "SrcT");
  const auto to = view.graph.attribute(view.op, "DstT");
  return from && *from && to && *to && (*from)->type == (*to)->type;
}

bool is_in_order(const FoldedOpView& view) {
  const Dims* axes = view.lists.find(view.argument);
  if (axes == nullptr) return false;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    if (!(*axes)[i].is(static_cast<std::int64_t>(i))) return false;
  }
  return true;
}

}  // namespace

DoesNothingIf does_nothing_if(std::string_view type) {
  const auto* const found = std::lower_bound(
      kRules.begin(), kRules.end(), type,
      [](const auto& rule, std::string_view wanted) { return rule.first < wanted; });
  return found != kRules.end() && found->first == type ? found->second : DoesNothingIf::kNever;
}

bool does_nothing(DoesNothingIf rule, const FoldedOpView& view) {
  switch (rule) {
    case DoesNothingIf::kNever: return false;
    case DoesNothingIf::kAlways: return true;
    case DoesNothingIf::kSameShape: return is_same_shape(view);
    case DoesNothingIf::kNoAxes: {
      const Dims* axes = view.lists.find(view.argument);
      return axes != nullptr && axes->empty();
    }
    case DoesNothingIf::kSameType: return is_same_type(view);
    case DoesNothingIf::kOneInput: return view.graph.inputs(view.op).size() == 1;
    case DoesNothingIf::kInOrder: return is_in_order(view);
  }
  return false;
}

bool is_commutative(std::string_view type) {
  constexpr std::array<std::string_view, 11> kTypes = {
      "Add",     "AddN",    "AddV2", "Equal",    "LogicalAnd",       "LogicalOr",
      "Maximum", "Minimum", "Mul",   "NotEqual", "SquaredDifference"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

}  // namespace tideline
