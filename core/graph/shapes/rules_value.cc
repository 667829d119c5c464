// Ops whose results describe shapes: sizes, ranges, axes, and helpers of gradients.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

void shape_of(RuleContext& context) {
  for (std::size_t i = 0; i < std::max<std::size_t>(context.input_count(), 1); ++i) {
    const Dims* dims = context.shape(i);
    if (dims == nullptr) {
      context.set_shape(i, Dims{Dim::unknown()});
      continue;
    }
    context.set_shape(i, Dims{Dim::of(static_cast<std::int64_t>(dims->size()))});
    context.set_value(i, *dims);
  }
}

void size_of(RuleContext& context) {
  scalar(context);
  if (const Dims* dims = context.shape(0)) context.set_value(0, {product(*dims)});
}

void rank_of(RuleContext& context) {
  scalar(context);
  if (context.rank(0) >= 0) context.set_value(0, {Dim::of(context.rank(0))});
}

// Shape of the variable behind a handle.
void variable_shape(RuleContext& context) {
  const DimsId content = context.content(0);
  const Dims* dims = content == kPending ? nullptr : context.lists().find(content);
  if (dims == nullptr) return context.set_shape(0, Dims{Dim::unknown()});
  context.set_shape(0, Dims{Dim::of(static_cast<std::int64_t>(dims->size()))});
  context.set_value(0, *dims);
}

void range(RuleContext& context) {
  const Dims* ends[3] = {context.value(0), context.value(1), context.value(2)};
  for (const Dims* end : ends) {
    if (end == nullptr || end->size() != 1) return context.set_shape(0, Dims{Dim::unknown()});
  }
  const Dim start = ends[0]->front();
  const Dim step = ends[2]->front();
  if (!step.is_number() || step.value() == 0 || step.value() == INT64_MIN) {
    return context.set_shape(0, Dims{Dim::unknown()});
  }
  const Dim way =
      step.value() > 0 ? subtract(ends[1]->front(), start) : subtract(start, ends[1]->front());
  if (way.is_number() && way.value() <= 0) {
    context.set_value(0, {});
    return context.set_shape(0, Dims{Dim::of(0)});
  }
  const std::int64_t stride = step.value() > 0 ? step.value() : -step.value();
  const Dim count = divide_up(way, Dim::of(stride));
  context.set_shape(0, Dims{count});
  if (!count.is_number() || !start.is_number()) return;
  if (count.value() > static_cast<std::int64_t>(DimLists::kMaxLength)) return;
  Dims elements;
  Dim next = start;
  for (std::int64_t i = 0; i < count.value(); ++i) {
    elements.push_back(next);
    next = add(next, step);
  }
  set_exact_value(context, std::move(elements), "Tidx");
}

// Shape that two shapes broadcast to, as a vector.
void broadcast_arguments(RuleContext& context) {
  const Dims* a = context.value(0);
  const Dims* b = context.value(1);
  if (a != nullptr && b != nullptr) {
    const DimsId both = broadcast_shapes(context, context.lists().id(*a), context.lists().id(*b));
    if (const Dims* dims = context.lists().find(both)) {
      context.set_shape(0, Dims{Dim::of(static_cast<std::int64_t>(dims->size()))});
      context.set_value(0, *dims);
    }
    return;
  }
  const auto length = [&](std::size_t input) {
    const Dims* dims = context.shape(input);
    return dims != nullptr && dims->size() == 1 ? dims->front() : Dim::unknown();
  };
  const bool known = length(0).is_number() && length(1).is_number();
  context.set_shape(0, Dims{known ? maximum(length(0), length(1)) : Dim::unknown()});
}

// Over which axes the gradients of a broadcasting op are summed: none if the shapes are equal; else
// also those where both have a 1. A batch against a dim of 1 counts as larger than 1: one example
// fed gives the same shapes after the Reshape that follows.
void broadcast_gradient_arguments(RuleContext& context) {
  context.set_shape(0, Dims{Dim::unknown()});
  context.set_shape(1, Dims{Dim::unknown()});
  const Dims* a = context.value(0);
  const Dims* b = context.value(1);
  if (a == nullptr || b == nullptr) return;
  const bool are_equal = *a == *b;
  const std::size_t rank = std::max(a->size(), b->size());
  const auto dim_at = [&](const Dims& dims, std::size_t axis) {
    return axis + dims.size() < rank ? Dim::of(1) : dims[axis + dims.size() - rank];
  };
  Dims axes_a;
  Dims axes_b;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Dim left = dim_at(*a, axis);
    const Dim right = dim_at(*b, axis);
    const Dim here = Dim::of(static_cast<std::int64_t>(axis));
    if (are_equal && !left.is_unknown()) continue;
    if (left.is(1) && right.is(1)) {
      axes_a.push_back(here);
      axes_b.push_back(here);
    } else if (left == right && !left.is_unknown()) {
      continue;
    } else if (left.is(1) && (right.is_number() || right.is_batch())) {
      axes_a.push_back(here);
    } else if (right.is(1) && (left.is_number() || left.is_batch())) {
      axes_b.push_back(here);
    } else {
      return;  // not sure
    }
  }
  for (const std::size_t output : {0U, 1U}) {
    const Dims& axes = output == 0 ? axes_a : axes_b;
    context.set_shape(output, Dims{Dim::of(static_cast<std::int64_t>(axes.size()))});
    context.set_value(output, axes);
  }
}

// Where each input begins in the concatenation.
void concat_offset(RuleContext& context) {
  for (std::size_t i = 1; i < context.input_count(); ++i) {
    context.set_shape(i - 1, context.fact(i).shape);
  }
  const auto axis = context.number(0);
  if (!axis || context.input_count() < 2) return;
  const Dims* first = context.value(1);
  if (first == nullptr) return;
  const auto at = from_front(*axis, first->size());
  if (!at) return context.contradict();
  Dim begin = Dim::of(0);
  for (std::size_t i = 1; i < context.input_count(); ++i) {
    Dims offset(first->size(), Dim::of(0));
    offset[*at] = begin;
    context.set_value(i - 1, offset);
    const Dims* shape = context.value(i);
    const bool fits = shape != nullptr && *at < shape->size();
    begin = fits ? add(begin, (*shape)[*at]) : Dim::unknown();
  }
}

void invert_permutation(RuleContext& context) {
  same_as_first(context);
  const auto numbers = context.numbers(0);
  if (!numbers) return;
  Dims inverse(numbers->size());
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    const std::int64_t to = (*numbers)[i];
    if (to < 0 || to >= static_cast<std::int64_t>(inverse.size())) return context.contradict();
    inverse[static_cast<std::size_t>(to)] = Dim::of(static_cast<std::int64_t>(i));
  }
  context.set_value(0, inverse);
}

// Elements of the first list that are not in the second, and where they stood.
void list_difference(RuleContext& context) {
  context.set_shape(0, Dims{Dim::unknown()});
  context.set_shape(1, Dims{Dim::unknown()});
  const auto all = context.numbers(0);
  const auto without = context.numbers(1);
  if (!all || !without) return;
  std::vector<std::int64_t> sorted = *without;
  std::sort(sorted.begin(), sorted.end());
  Dims rest;
  Dims places;
  for (std::size_t i = 0; i < all->size(); ++i) {
    if (std::binary_search(sorted.begin(), sorted.end(), (*all)[i])) continue;
    rest.push_back(Dim::of((*all)[i]));
    places.push_back(Dim::of(static_cast<std::int64_t>(i)));
  }
  const Dims length{Dim::of(static_cast<std::int64_t>(rest.size()))};
  for (const std::size_t output : {0U, 1U}) {
    context.set_shape(output, length);
    context.set_value(output, output == 0 ? rest : places);
  }
}

// Elements of the stitched tensor, when all are single numbers; later ones win.
void stitch_values(RuleContext& context, std::size_t count, std::size_t length) {
  Dims merged(length);
  for (std::size_t i = 0; i < count; ++i) {
    const auto indices = context.numbers(i);
    const Dims* data = context.value(count + i);
    if (!indices || data == nullptr || data->size() != indices->size()) return;
    for (std::size_t k = 0; k < indices->size(); ++k) {
      merged[static_cast<std::size_t>((*indices)[k])] = (*data)[k];
    }
  }
  set_exact_value(context, std::move(merged));
}

void dynamic_stitch(RuleContext& context) {
  const std::size_t count = context.input_count() / 2;
  Dim length = Dim::of(0);
  DimsId rest = kNothing;
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto indices = context.numbers(i)) {
      for (const std::int64_t index : *indices) {
        if (index < 0) return context.contradict();
        length = maximum(length, add(Dim::of(index), Dim::of(1)));
      }
    } else {
      length = Dim::unknown();
    }
    const std::int64_t skipped = context.rank(i);
    const Dims* data = context.shape(count + i);
    if (skipped < 0 || data == nullptr) continue;
    if (skipped > static_cast<std::int64_t>(data->size())) return context.contradict();
    const DimsId inner = context.checked_id(Dims(data->begin() + skipped, data->end()));
    rest = meet_shapes(context, rest, inner);
    if (context.has_contradiction()) return;
  }
  const Dims* inner = context.lists().find(rest);
  if (inner == nullptr) return;
  Dims dims{length};
  dims.insert(dims.end(), inner->begin(), inner->end());
  context.set_shape(0, dims);
  if (length.is_number() && inner->empty() &&
      length.value() <= static_cast<std::int64_t>(DimLists::kMaxLength)) {
    stitch_values(context, count, static_cast<std::size_t>(length.value()));
  }
}

constexpr ShapeRuleEntry kValueTable[] = {
    {"Shape ShapeN", shape_of},
    {"Size", size_of},
    {"Rank", rank_of},
    {"VariableShape", variable_shape},
    {"Range", range},
    {"BroadcastArgs", broadcast_arguments},
    {"BroadcastGradientArgs", broadcast_gradient_arguments},
    {"ConcatOffset", concat_offset},
    {"InvertPermutation", invert_permutation},
    {"ListDiff", list_difference},
    {"DynamicStitch ParallelDynamicStitch", dynamic_stitch},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kValueRules = kValueTable;

}  // namespace tideline::shapes
