// Ops that make one tensor of many, or many of one.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// Inputs [first, first + count) joined along a dim that is `axis`, or not known.
void concat(RuleContext& context, std::size_t first, std::size_t count,
            std::optional<std::int64_t> axis) {
  std::optional<std::size_t> rank;
  for (std::size_t i = first; i < first + count; ++i) {
    const Dims* dims = context.shape(i);
    if (dims == nullptr) continue;
    if (rank && *rank != dims->size()) return context.contradict();
    rank = dims->size();
  }
  if (!rank || count == 0) return;
  if (*rank == 0) return context.contradict();
  if (!axis) return context.set_shape(0, RuleContext::unknown_dims(*rank));
  const auto at = from_front(*axis, *rank);
  if (!at) return context.contradict();
  Dims result(*rank);
  result[*at] = Dim::of(0);
  for (std::size_t i = first; i < first + count; ++i) {
    const Dims* dims = context.shape(i);
    for (std::size_t k = 0; k < *rank; ++k) {
      const Dim dim = dims == nullptr ? Dim::unknown() : (*dims)[k];
      const auto met = k == *at ? add(result[k], dim) : meet(result[k], dim);
      if (!met) return context.contradict();
      result[k] = *met;
    }
  }
  context.set_shape(0, result);
}

void concat_values(RuleContext& context, std::size_t first, std::size_t count) {
  Dims elements;
  for (std::size_t i = first; i < first + count; ++i) {
    const Dims* dims = context.shape(i);
    if (dims == nullptr || dims->size() != 1) return;
    if (const Dims* part = context.value(i)) {
      elements.insert(elements.end(), part->begin(), part->end());
    } else if (dims->front().is_number() &&
               dims->front().value() <= static_cast<std::int64_t>(DimLists::kMaxLength)) {
      elements.resize(elements.size() + static_cast<std::size_t>(dims->front().value()));
    } else {
      return;
    }
    if (elements.size() > DimLists::kMaxLength) return;
  }
  context.set_value(0, elements);
}

void concat_axis_last(RuleContext& context) {
  if (context.input_count() < 2) return;
  const std::size_t count = context.input_count() - 1;
  concat(context, 0, count, context.number(count));
  concat_values(context, 0, count);
}

void concat_axis_first(RuleContext& context) {
  if (context.input_count() < 2) return;
  concat(context, 1, context.input_count() - 1, context.number(0));
  concat_values(context, 1, context.input_count() - 1);
}

void parallel_concat(RuleContext& context) {
  context.set_shape(0, context.shape_attribute("shape"));
}

void pack(RuleContext& context) {
  DimsId common = kNothing;
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    common = meet_shapes(context, common, context.fact(i).shape);
  }
  const Dims* dims = context.lists().find(common);
  if (dims == nullptr || context.has_contradiction()) return;
  const auto at = from_front(context.integer("axis", 0), dims->size() + 1);
  if (!at) return context.contradict();
  Dims result = *dims;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(*at),
                Dim::of(static_cast<std::int64_t>(context.input_count())));
  context.set_shape(0, result);
  if (!dims->empty()) return;
  Dims elements;
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    const Dims* element = context.value(i);
    const bool known = element != nullptr && element->size() == 1;
    elements.push_back(known ? element->front() : Dim::unknown());
  }
  context.set_value(0, elements);
}

void unpack(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  const auto at = from_front(context.integer("axis", 0), dims->size());
  if (!at) return context.contradict();
  Dims result = *dims;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(*at));
  const Dims* elements = context.value(0);
  const DimsId shape = context.checked_id(result);
  for (std::size_t i = 0; i < context.output_count(); ++i) {
    context.set_shape(i, shape);
    if (elements != nullptr && result.empty() && i < elements->size()) {
      context.set_value(i, {(*elements)[i]});
    }
  }
}

// `sizes`: of each part; empty when all are equal.
void split(RuleContext& context, std::size_t value, std::optional<std::int64_t> axis,
           const Dims* sizes, std::int64_t parts) {
  const Dims* dims = context.shape(value);
  if (dims == nullptr) return;
  Dims result = *dims;
  std::optional<std::size_t> at;
  if (axis) {
    at = from_front(*axis, dims->size());
    if (!at) return context.contradict();
  } else {
    result = RuleContext::unknown_dims(dims->size());
  }
  const Dims* elements = dims->size() == 1 ? context.value(value) : nullptr;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < context.output_count(); ++i) {
    if (at) {
      const Dim whole = (*dims)[*at];
      const bool listed = sizes != nullptr && i < sizes->size();
      result[*at] = parts > 0 ? divide(whole, Dim::of(parts))
                    : listed  ? (*sizes)[i]
                              : Dim::unknown();
      if (parts > 0 && multiply(result[*at], Dim::of(parts)) != whole) result[*at] = Dim::unknown();
      if (result[*at].is_number() && result[*at].value() < 0) result[*at] = Dim::unknown();
    }
    context.set_shape(i, result);
    if (elements == nullptr || !at || !result[0].is_number()) {
      elements = nullptr;
      continue;
    }
    const std::int64_t end = begin + result[0].value();
    if (end > static_cast<std::int64_t>(elements->size())) return;
    context.set_value(i, Dims(elements->begin() + begin, elements->begin() + end));
    begin = end;
  }
}

void split_equally(RuleContext& context) {
  const std::int64_t parts = context.integer("num_split", 0);
  if (parts <= 0) return;
  split(context, 1, context.number(0), nullptr, parts);
}

// One size may be -1: what the others leave.
void split_by_sizes(RuleContext& context) {
  const Dims* sizes = context.value(1);
  const auto axis = context.number(2);
  if (sizes == nullptr) return split(context, 0, axis, nullptr, 0);
  Dims complete = *sizes;
  const Dims* dims = context.shape(0);
  for (std::size_t i = 0; i < complete.size(); ++i) {
    if (!complete[i].is(-1)) continue;
    Dim rest = Dim::unknown();
    if (dims != nullptr && axis) {
      if (const auto at = from_front(*axis, dims->size())) rest = (*dims)[*at];
    }
    for (std::size_t k = 0; k < complete.size(); ++k) {
      if (k != i) rest = subtract(rest, complete[k]);
    }
    complete[i] = rest;
    break;
  }
  split(context, 0, axis, &complete, 0);
}

// Parts of a tensor by number: how many rows go where is data.
void dynamic_partition(RuleContext& context) {
  const Dims* data = context.shape(0);
  const std::int64_t skipped = context.rank(1);
  if (data == nullptr || skipped < 0) return;
  if (skipped > static_cast<std::int64_t>(data->size())) return context.contradict();
  Dims result{Dim::unknown()};
  result.insert(result.end(), data->begin() + skipped, data->end());
  for (std::size_t i = 0; i < context.output_count(); ++i) context.set_shape(i, result);
}

constexpr ShapeRuleEntry kRules[] = {
    {"Concat", concat_axis_first},
    {"ConcatV2", concat_axis_last},
    {"ParallelConcat", parallel_concat},
    {"Pack", pack},
    {"Unpack", unpack},
    {"Split", split_equally},
    {"SplitV", split_by_sizes},
    {"DynamicPartition", dynamic_partition},
};

}  // namespace

std::span<const ShapeRuleEntry> join_split_rules() {
  return kRules;
}

}  // namespace tideline::shapes
