// Ops that read or write elements by index: gather, scatter, segments, Where, Unique.
#include <map>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// params[:axis] + indices[batch:] + params[axis + 1:]
void gather_along(RuleContext& context, const Dims* params, std::optional<std::int64_t> axis,
                  std::int64_t batch) {
  const Dims* indices = context.shape(1);
  if (params == nullptr || indices == nullptr) return;
  if (params->empty()) return context.contradict();
  if (batch < 0) batch += static_cast<std::int64_t>(indices->size());
  if (batch < 0 || batch > static_cast<std::int64_t>(indices->size())) return context.contradict();
  if (!axis) {
    const auto rank = params->size() + indices->size() - 1 - static_cast<std::size_t>(batch);
    return context.set_shape(0, RuleContext::unknown_dims(rank));
  }
  const auto at = from_front(*axis, params->size());
  if (!at || batch > static_cast<std::int64_t>(*at)) return context.contradict();
  const auto split = params->begin() + static_cast<std::ptrdiff_t>(*at);
  Dims result(params->begin(), split);
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch); ++i) {
    const auto dim = meet(result[i], (*indices)[i]);
    if (!dim) return context.contradict();
    result[i] = *dim;
  }
  result.insert(result.end(), indices->begin() + batch, indices->end());
  result.insert(result.end(), split + 1, params->end());
  context.set_shape(0, result);
}

void gather_value(RuleContext& context) {
  const Dims* elements = context.value(0);
  const auto indices = context.numbers(1);
  if (elements == nullptr || !indices || context.rank(0) != 1 || context.rank(1) > 1) return;
  Dims chosen;
  for (const std::int64_t index : *indices) {
    const bool exists = index >= 0 && index < static_cast<std::int64_t>(elements->size());
    if (!exists) return;
    chosen.push_back((*elements)[static_cast<std::size_t>(index)]);
  }
  context.set_value(0, chosen);
}

void gather(RuleContext& context) {
  gather_along(context, context.shape(0), 0, 0);
  if (!context.has_contradiction()) gather_value(context);
}

void gather_axis(RuleContext& context) {
  gather_along(context, context.shape(0), context.number(2), context.integer("batch_dims", 0));
  if (!context.has_contradiction()) gather_value(context);
}

// The shape behind the resource handle of input 0.
const Dims* resource_shape(RuleContext& context) {
  const DimsId content = context.content(0);
  return content == kPending ? nullptr : context.lists().find(content);
}

void resource_gather(RuleContext& context) {
  const std::int64_t batch = context.integer("batch_dims", 0);
  gather_along(context, resource_shape(context), batch, batch);
}

// indices[:-1] + params[indices[-1]:]
void gather_points(RuleContext& context, const Dims* params) {
  const Dims* indices = context.shape(1);
  if (params == nullptr || indices == nullptr || indices->empty()) return;
  const Dim depth = indices->back();
  if (!depth.is_number()) return;
  if (depth.value() < 0 || depth.value() > static_cast<std::int64_t>(params->size())) {
    return context.contradict();
  }
  Dims result(indices->begin(), indices->end() - 1);
  result.insert(result.end(), params->begin() + depth.value(), params->end());
  context.set_shape(0, result);
}

void gather_nd(RuleContext& context) {
  gather_points(context, context.shape(0));
}

void resource_gather_nd(RuleContext& context) {
  gather_points(context, resource_shape(context));
}

// data[skipped:] behind a first dim.
void segments(RuleContext& context, Dim first, std::int64_t skipped, std::size_t output = 0) {
  const Dims* data = context.shape(0);
  if (data == nullptr || skipped < 0) return;
  if (skipped > static_cast<std::int64_t>(data->size())) return context.contradict();
  Dims result{first};
  result.insert(result.end(), data->begin() + skipped, data->end());
  context.set_shape(output, result);
}

// How many segments there are stands in the data.
void sorted_segments(RuleContext& context) {
  segments(context, Dim::unknown(), 1);
}

void unsorted_segments(RuleContext& context) {
  segments(context, only_element(context, 2), context.rank(1));
}

void counted_segments(RuleContext& context) {
  segments(context, only_element(context, 3), 1);
}

// The later versions say which segments they made instead of making all.
void sparse_segment_gradient(RuleContext& context) {
  segments(context, Dim::unknown(), 1);
  context.set_shape(1, Dims{Dim::unknown()});
}

void where(RuleContext& context) {
  const std::int64_t rank = context.rank(0);
  context.set_shape(0, Dims{Dim::unknown(), rank < 0 ? Dim::unknown() : Dim::of(rank)});
}

// Distinct elements, and for each element which it is; along an axis for the later version.
void unique(RuleContext& context) {
  context.set_shape(0, Dims{Dim::unknown()});
  context.set_shape(1, context.fact(0).shape);
  context.set_shape(2, Dims{Dim::unknown()});
  const auto all = context.numbers(0);
  if (!all) return;
  // In the order in which they are met.
  std::map<std::int64_t, std::int64_t> place;
  Dims distinct;
  Dims which;
  for (const std::int64_t number : *all) {
    const auto next = static_cast<std::int64_t>(distinct.size());
    const auto [entry, is_new] = place.try_emplace(number, next);
    if (is_new) distinct.push_back(Dim::of(number));
    which.push_back(Dim::of(entry->second));
  }
  const Dims length{Dim::of(static_cast<std::int64_t>(distinct.size()))};
  context.set_shape(0, length);
  context.set_value(0, distinct);
  context.set_value(1, which);
  context.set_shape(2, length);
}

void unique_axis(RuleContext& context) {
  const Dims* dims = context.shape(0);
  const auto axes = context.numbers(1);
  context.set_shape(1, Dims{Dim::unknown()});
  context.set_shape(2, Dims{Dim::unknown()});
  if (!axes) {
    if (dims != nullptr) context.set_shape(0, RuleContext::unknown_dims(dims->size()));
    return;
  }
  if (axes->empty()) {
    context.set_shape(0, Dims{Dim::unknown()});
    if (dims != nullptr && dims->size() == 1) context.set_shape(1, *dims);
    return;
  }
  if (dims == nullptr) return;
  const auto at = from_front(axes->front(), dims->size());
  if (!at) return context.contradict();
  Dims result = *dims;
  result[*at] = Dim::unknown();
  context.set_shape(0, result);
  context.set_shape(1, Dims{(*dims)[*at]});
}

// The ops with which TensorFlow's layout optimizer says shapes and axes of "NHWC" in "NCHW".
void data_format(RuleContext& context, bool is_axes) {
  context.set_shape(0, context.fact(0).shape);
  const std::string from = context.text("src_format", "NHWC");
  const std::string to = context.text("dst_format", "NCHW");
  const Dims* elements = context.value(0);
  if (elements == nullptr || from.size() != to.size()) return;
  Dims result;
  if (is_axes) {
    const auto axes = context.numbers(0);
    if (!axes) return;
    for (const std::int64_t axis : *axes) {
      const auto at = from_front(axis, from.size());
      const std::size_t now = at ? to.find(from[*at]) : std::string::npos;
      if (now == std::string::npos) return;
      result.push_back(Dim::of(static_cast<std::int64_t>(now)));
    }
  } else {
    if (elements->size() != from.size() || context.rank(0) != 1) return;
    for (const char axis : to) {
      const std::size_t at = from.find(axis);
      if (at == std::string::npos) return;
      result.push_back((*elements)[at]);
    }
  }
  context.set_value(0, result);
}

constexpr ShapeRuleEntry kGatherTable[] = {
    {"DataFormatDimMap", [](RuleContext& context) { data_format(context, true); }},
    {"DataFormatVecPermute", [](RuleContext& context) { data_format(context, false); }},
    {"Gather", gather},
    {"GatherV2", gather_axis},
    {"ResourceGather", resource_gather},
    {"GatherNd", gather_nd},
    {"ResourceGatherNd", resource_gather_nd},
    {"SegmentSum SegmentMean SegmentProd SegmentMin SegmentMax SparseSegmentSum "
     "SparseSegmentMean SparseSegmentSqrtN",
     sorted_segments},
    {"SparseSegmentSumWithNumSegments SparseSegmentMeanWithNumSegments "
     "SparseSegmentSqrtNWithNumSegments",
     counted_segments},
    {"SparseSegmentSumGradV2 SparseSegmentMeanGradV2 SparseSegmentSqrtNGradV2",
     sparse_segment_gradient},
    {"SparseSegmentSumGrad SparseSegmentMeanGrad SparseSegmentSqrtNGrad", counted_segments},
    {"SegmentSumV2 SegmentProdV2 SegmentMinV2 SegmentMaxV2 UnsortedSegmentSum "
     "UnsortedSegmentProd UnsortedSegmentMin UnsortedSegmentMax",
     unsorted_segments},
    {"Where", where},
    {"Unique UniqueWithCounts", unique},
    {"UniqueV2 UniqueWithCountsV2", unique_axis},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kGatherRules = kGatherTable;

}  // namespace tideline::shapes
