// Ops that join several tensors or split one: concat, stack, split, unstack.

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

// Elements of a concatenation, row by row: from each input in turn the elements of one row.
// Elements of an input of known size that are not known stay unknown.
void concat_values(RuleContext& context, std::size_t first, std::size_t count,
                   std::optional<std::int64_t> axis) {
  std::vector<std::size_t> widths;  // elements a row
  std::size_t rows = 1;
  std::size_t total = 0;
  bool any_value = false;
  for (std::size_t i = first; i < first + count; ++i) {
    const Dims* dims = context.shape(i);
    if (dims == nullptr || dims->empty() || !axis) return;
    const auto at = from_front(*axis, dims->size());
    const Dim outer = at ? product(*dims, 0, *at) : Dim::unknown();
    const Dim inner = at ? product(*dims, *at, dims->size()) : Dim::unknown();
    constexpr auto kMost = static_cast<std::int64_t>(DimLists::kMaxLength);
    const bool small =
        outer.is_number() && inner.is_number() && outer.value() <= kMost && inner.value() <= kMost;
    if (!small) return;
    rows = static_cast<std::size_t>(outer.value());
    widths.push_back(static_cast<std::size_t>(inner.value()));
    total += rows * widths.back();
    if (total > DimLists::kMaxLength) return;
    any_value |= context.value(i) != nullptr;
  }
  if (!any_value) return;
  Dims elements;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < count; ++i) {
      const Dims* part = context.value(first + i);
      const bool known = part != nullptr && part->size() == rows * widths[i];
      for (std::size_t k = 0; k < widths[i]; ++k) {
        elements.push_back(known ? (*part)[row * widths[i] + k] : Dim::unknown());
      }
    }
  }
  context.set_value(0, elements);
}

void concat_axis_last(RuleContext& context) {
  if (context.input_count() < 2) return;
  const std::size_t count = context.input_count() - 1;
  concat(context, 0, count, context.number(count));
  concat_values(context, 0, count, context.number(count));
}

void concat_axis_first(RuleContext& context) {
  if (context.input_count() < 2) return;
  concat(context, 1, context.input_count() - 1, context.number(0));
  concat_values(context, 1, context.input_count() - 1, context.number(0));
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
  if (*at != 0) return;
  const Dim count = product(*dims);  // of the elements of one input
  constexpr auto kMost = static_cast<std::int64_t>(DimLists::kMaxLength);
  if (!count.is_number() || count.value() > kMost) return;
  const auto width = static_cast<std::size_t>(count.value());
  if (width * context.input_count() > DimLists::kMaxLength) return;
  Dims elements;
  bool any = false;
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    const Dims* part = context.value(i);
    const bool known = part != nullptr && part->size() == width;
    any |= known;
    for (std::size_t k = 0; k < width; ++k) {
      elements.push_back(known ? (*part)[k] : Dim::unknown());
    }
  }
  if (any) context.set_value(0, elements);
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
    const std::int64_t left = static_cast<std::int64_t>(elements->size()) - begin;
    if (result[0].value() > left) return;
    const std::int64_t end = begin + result[0].value();
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

constexpr ShapeRuleEntry kJoinSplitTable[] = {
    {"Concat", concat_axis_first},
    {"ConcatV2", concat_axis_last},
    {"Pack", pack},
    {"Unpack", unpack},
    {"Split", split_equally},
    {"SplitV", split_by_sizes},
    {"DynamicPartition", dynamic_partition},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kJoinSplitRules = kJoinSplitTable;

}  // namespace tideline::shapes
