// Elementwise ops on two tensors, and those on one whose result may be a shape: arithmetic,
// comparisons, logic. Elements of small integer tensors are computed, too.
#include <functional>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

using Combine = Dim (*)(Dim, Dim);

// Elements of an op on two small integer tensors of one shape, or of which one has one element.
void combine_values(RuleContext& context, Combine combine) {
  const Dims* a = context.value(0);
  const Dims* b = context.value(1);
  if (a == nullptr || b == nullptr) return;
  const bool same_shape = context.fact(0).shape == context.fact(1).shape;
  if (!same_shape && a->size() != 1 && b->size() != 1) return;
  Dims elements;
  const std::size_t count = a->size() == 1 ? b->size() : a->size();
  for (std::size_t i = 0; i < count; ++i) {
    elements.push_back(combine((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
  }
  set_exact_value(context, std::move(elements));
}

void binary(RuleContext& context) {
  context.set_shape(0, broadcast_shapes(context, context.fact(0).shape, context.fact(1).shape));
}

template <Combine combine>
void arithmetic(RuleContext& context) {
  binary(context);
  combine_values(context, combine);
}

// Division that may leave a rest: exact ones only.
Dim divide_exactly(Dim a, Dim b) {
  const Dim quotient = divide(a, b);
  return multiply(quotient, b) == a ? quotient : Dim::unknown();
}

// Truncation agrees with rounding down where nothing is negative.
Dim divide_truncating(Dim a, Dim b) {
  const bool negative = (a.is_number() && a.value() < 0) || (b.is_number() && b.value() < 0);
  return negative ? divide_exactly(a, b) : divide(a, b);
}

Dim remainder_truncating(Dim a, Dim b) {
  const bool negative = (a.is_number() && a.value() < 0) || (b.is_number() && b.value() < 0);
  return negative ? Dim::unknown() : remainder(a, b);
}

// Div rounds whole numbers towards zero and keeps the rest of others.
void divide_by_type(RuleContext& context) {
  binary(context);
  const DataType type = context.data_type("T");
  const bool whole = type == DataType::kInt32 || type == DataType::kInt64;
  combine_values(context, whole ? divide_truncating : divide_exactly);
}

// Elements of a comparison of two small tensors: 0, 1, or unknown.
template <typename Compare>
void comparison(RuleContext& context) {
  binary(context);
  const Dims* a = context.value(0);
  const Dims* b = context.value(1);
  if (a == nullptr || b == nullptr || context.has_contradiction()) return;
  const bool same_shape = context.fact(0).shape == context.fact(1).shape;
  if (!same_shape && a->size() != 1 && b->size() != 1) return;
  Dims elements;
  for (std::size_t i = 0; i < (a->size() == 1 ? b->size() : a->size()); ++i) {
    const Dim left = (*a)[a->size() == 1 ? 0 : i];
    const Dim right = (*b)[b->size() == 1 ? 0 : i];
    const bool known = left.is_number() && right.is_number();
    elements.push_back(known ? Dim::of(Compare()(left.value(), right.value()) ? 1 : 0)
                             : Dim::unknown());
  }
  context.set_value(0, elements);
}

// False as soon as one side is, whatever the other one is: loops end so.
void logical_and(RuleContext& context) {
  comparison<std::logical_and<>>(context);
  if (context.has_contradiction()) return;
  const auto is_false = [&](std::size_t input) {
    const Dims* value = context.value(input);
    return context.rank(input) == 0 && value != nullptr && value->size() == 1 &&
           value->front().is(0);
  };
  if (context.rank(0) == 0 && context.rank(1) == 0 && (is_false(0) || is_false(1))) {
    context.set_value(0, {Dim::of(0)});
  }
}

void logical_not(RuleContext& context) {
  same_as_first(context);
  const Dims* elements = context.value(0);
  if (elements == nullptr) return;
  Dims negated;
  for (const Dim element : *elements) {
    negated.push_back(element.is_number() ? Dim::of(element.is(0) ? 1 : 0) : Dim::unknown());
  }
  context.set_value(0, negated);
}

void negate(RuleContext& context) {
  same_as_first(context);
  const Dims* elements = context.value(0);
  if (elements == nullptr) return;
  Dims negated;
  for (const Dim element : *elements) negated.push_back(subtract(Dim::of(0), element));
  set_exact_value(context, std::move(negated));
}

constexpr ShapeRuleEntry kArithmeticTable[] = {
    {"LogicalNot", logical_not},
    {"Neg", negate},
    {"Add AddV2", arithmetic<add>},
    {"Sub", arithmetic<subtract>},
    {"Mul", arithmetic<multiply>},
    {"FloorDiv", arithmetic<divide>},
    {"Div", divide_by_type},
    {"RealDiv", arithmetic<divide_exactly>},
    {"TruncateDiv", arithmetic<divide_truncating>},
    {"FloorMod", arithmetic<remainder>},
    {"Mod TruncateMod", arithmetic<remainder_truncating>},
    {"Maximum", arithmetic<maximum>},
    {"Minimum", arithmetic<minimum>},
    {"DivNoNan MulNoNan Pow SquaredDifference Atan2 Complex", binary},
    {"Equal", comparison<std::equal_to<>>},
    {"NotEqual", comparison<std::not_equal_to<>>},
    {"Less", comparison<std::less<>>},
    {"LessEqual", comparison<std::less_equal<>>},
    {"Greater", comparison<std::greater<>>},
    {"GreaterEqual", comparison<std::greater_equal<>>},
    {"LogicalAnd", logical_and},
    {"LogicalOr", comparison<std::logical_or<>>},
    {"BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift Igamma Igammac IgammaGradA "
     "RandomGammaGrad Zeta Polygamma NextAfter Xlogy Xlog1py Xdivy",
     binary},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kArithmeticRules = kArithmeticTable;

}  // namespace tideline::shapes
