// Ops that take a part of a tensor: Slice, StridedSlice and their gradients.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

void slice(RuleContext& context) {
  const Dims* dims = context.shape(0);
  const Dims* begin = context.value(1);
  const Dims* size = context.value(2);
  if (dims == nullptr) {
    DimsId shape = shape_from_value(context, 2);
    if (context.lists().find(shape) == nullptr) shape = shape_from_value(context, 1);
    if (const Dims* rank = context.lists().find(shape)) {
      // A size of -1 means all that is left.
      context.set_shape(0, size == nullptr ? RuleContext::unknown_dims(rank->size()) : *rank);
    }
    return;
  }
  Dims result(dims->size());
  if ((begin != nullptr && begin->size() != dims->size()) ||
      (size != nullptr && size->size() != dims->size())) {
    return context.contradict();
  }
  for (std::size_t i = 0; size != nullptr && i < result.size(); ++i) {
    const Dim wanted = (*size)[i];
    if (!wanted.is(-1)) {
      result[i] = wanted;
    } else if (begin != nullptr) {
      result[i] = subtract((*dims)[i], (*begin)[i]);
    }
  }
  context.set_shape(0, result);
  const Dims* elements = context.value(0);
  if (elements == nullptr || dims->size() != 1 || begin == nullptr) return;
  const Dim from = begin->front();
  const Dim count = result.front();
  const auto most = static_cast<std::int64_t>(elements->size());
  if (!from.is_number() || !count.is_number() || from.value() < 0 || from.value() > most ||
      count.value() < 0 || count.value() > most - from.value()) {
    return;
  }
  const auto first = elements->begin() + from.value();
  context.set_value(0, Dims(first, first + count.value()));
}

// The masks of StridedSlice; bit i speaks of entry i of begin, end and strides.
struct Masks {
  std::uint64_t begin, end, ellipsis, new_axis, shrink;
};

Masks masks_of(RuleContext& context) {
  const auto mask = [&](std::string_view key) {
    return static_cast<std::uint64_t>(context.integer(key, 0));
  };
  return {mask("begin_mask"), mask("end_mask"), mask("ellipsis_mask"), mask("new_axis_mask"),
          mask("shrink_axis_mask")};
}

bool has_bit(std::uint64_t mask, std::size_t bit) {
  return bit < 64 && (mask >> bit & 1U) != 0;
}

// One range of a StridedSlice; ends that are masked are not there.
struct Range {
  std::optional<Dim> begin, end;
  Dim stride;
};

// Where `place` lies in a dim, clamped to what can be sliced; unknown when not sure.
Dim clamped(Dim place, std::int64_t size, bool forward) {
  if (!place.is_number()) return Dim::unknown();
  std::int64_t at = place.value();
  if (at < 0) at = at < -size ? -1 : at + size;
  const std::int64_t low = forward ? 0 : -1;
  return Dim::of(std::clamp(at, low, forward ? size : size - 1));
}

// Begin and length of a range in a dim of known size.
struct Part {
  Dim begin, length;
};

Part part_of_number(std::int64_t size, const Range& range) {
  const std::int64_t stride = range.stride.value();
  const bool forward = stride > 0;
  const Dim begin =
      range.begin ? clamped(*range.begin, size, forward) : Dim::of(forward ? 0 : size - 1);
  const Dim end = range.end ? clamped(*range.end, size, forward) : Dim::of(forward ? size : -1);
  if (!begin.is_number() || !end.is_number()) return {begin, Dim::unknown()};
  const std::int64_t way = forward ? end.value() - begin.value() : begin.value() - end.value();
  if (way <= 0) return {begin, Dim::of(0)};
  if (stride == INT64_MIN) return {begin, Dim::of(1)};
  const std::int64_t step = forward ? stride : -stride;
  return {begin, Dim::of((way - 1) / step + 1)};
}

Part part_of(Dim size, const Range& range) {
  if (!range.stride.is_number() || range.stride.value() == 0) return {};
  if (size.is_number()) return part_of_number(size.value(), range);
  const bool whole_begin = !range.begin || range.begin->is(0);
  if (range.stride.is(1)) {
    if (whole_begin && !range.end) return {Dim::of(0), size};
    if (whole_begin && range.end == size && size.is_batch()) return {Dim::of(0), size};
    // From the end backwards, or nothing at all: the same for every size.
    if (range.begin && range.end && range.begin->is_number() && range.end->is_number()) {
      const bool same_side = (range.begin->value() < 0) == (range.end->value() < 0);
      if (same_side && range.end->value() <= range.begin->value()) return {{}, Dim::of(0)};
    }
  }
  if (range.stride.is(-1) && !range.begin && !range.end) return {{}, size};
  return {};
}

// What the slice makes of the input: dims, and from which elements of a vector.
struct Sliced {
  Dims dims;
  bool rank_is_known = true;
  Part vector_part;  ///< of input dim 0, when the input is a vector
  std::int64_t stride = 1;
};

// `rank` -1: unknown; then only leading entries are sure.
std::optional<Sliced> apply(const Dims* input, const Masks& masks, std::size_t entries,
                            const Dims* begin, const Dims* end, const Dims* strides) {
  std::size_t new_axes = 0;
  bool after_ellipsis = false;
  for (std::size_t i = 0; i < entries; ++i) {
    if (has_bit(masks.ellipsis, i))
      after_ellipsis = true;
    else if (has_bit(masks.new_axis, i))
      ++new_axes;
  }
  const std::size_t consuming = entries - new_axes - (after_ellipsis ? 1 : 0);
  if (input == nullptr || consuming > input->size()) return std::nullopt;
  Sliced sliced;
  std::size_t at = 0;
  bool ellipsis_done = false;
  for (std::size_t i = 0; i < entries; ++i) {
    if (has_bit(masks.ellipsis, i)) {
      if (ellipsis_done) return std::nullopt;
      ellipsis_done = true;
      for (std::size_t k = consuming; k < input->size(); ++k) sliced.dims.push_back((*input)[at++]);
      continue;
    }
    if (has_bit(masks.new_axis, i)) {
      sliced.dims.push_back(Dim::of(1));
      continue;
    }
    const Dim size = (*input)[at++];
    if (has_bit(masks.shrink, i)) {
      Dim place = dim_at(begin, i);
      if (has_bit(masks.begin, i)) place = Dim::of(0);
      if (place.is_number() && place.value() < 0) place = add(place, size);
      if (input->size() == 1) sliced.vector_part = {place, Dim::of(1)};
      continue;
    }
    Range range{dim_at(begin, i), dim_at(end, i), dim_at(strides, i)};
    if (has_bit(masks.begin, i)) range.begin.reset();
    if (has_bit(masks.end, i)) range.end.reset();
    const Part part = part_of(size, range);
    if (input->size() == 1) {
      sliced.vector_part = part;
      if (range.stride.is_number()) sliced.stride = range.stride.value();
    }
    sliced.dims.push_back(part.length);
  }
  while (at < input->size()) sliced.dims.push_back((*input)[at++]);
  return sliced;
}

void slice_value(RuleContext& context, const Sliced& sliced) {
  const Dims* elements = context.value(0);
  const Part& part = sliced.vector_part;
  if (elements == nullptr || context.rank(0) != 1) return;
  if (!part.begin.is_number() || !part.length.is_number()) return;
  Dims chosen;
  std::int64_t at = part.begin.value();
  for (std::int64_t i = 0; i < part.length.value(); ++i) {
    if (at < 0 || at >= static_cast<std::int64_t>(elements->size())) return;
    chosen.push_back((*elements)[static_cast<std::size_t>(at)]);
    if (i + 1 < part.length.value()) at += sliced.stride;
  }
  context.set_value(0, chosen);
}

void strided_slice(RuleContext& context) {
  std::optional<std::size_t> entries;
  for (const std::size_t input : {1U, 2U, 3U}) {
    if (entries) break;
    if (const Dims* list = context.value(input)) {
      entries = list->size();
    } else if (const Dims* dims = context.shape(input); dims != nullptr && dims->size() == 1) {
      if (dims->front().is_number() && dims->front().value() <= 64) {
        entries = static_cast<std::size_t>(dims->front().value());
      }
    }
  }
  if (!entries) return;
  const auto sliced = apply(context.shape(0), masks_of(context), *entries, context.value(1),
                            context.value(2), context.value(3));
  if (!sliced) return;
  context.set_shape(0, sliced->dims);
  slice_value(context, *sliced);
}

constexpr ShapeRuleEntry kSliceTable[] = {
    {"Slice", slice},
    {"StridedSlice", strided_slice},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kSliceRules = kSliceTable;

}  // namespace tideline::shapes
