// Pooling in two and three dims, and its gradients.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// Strides, sizes and explicit paddings have one entry a dim in the order of the layout, so that a
// window of one element over batch and channels leaves them as they are.
void pool_with(RuleContext& context, std::size_t rank, const std::vector<std::int64_t>& sizes,
               const std::vector<std::int64_t>& strides, std::size_t output) {
  const Dims* dims = context.shape(0);
  if (dims != nullptr && dims->size() != rank) return context.contradict();
  Dims result(rank);
  const std::string format = context.text("data_format", "N");
  const bool packed = format == "NCHW_VECT_C";
  const bool channels_first = format.starts_with("NC");
  if (dims == nullptr || packed || sizes.size() != rank || strides.size() != rank) {
    if (!packed) context.set_shape(output, result);
    return;
  }
  const auto paddings = context.integers("explicit_paddings");
  const auto padding = padding_of(context.text("padding", ""));
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_moved = sizes[i] != 1 || strides[i] != 1;
    const bool has_paddings = paddings.size() == 2 * rank;
    const Window window{Dim::of(sizes[i]),
                        strides[i],
                        1,
                        has_paddings ? paddings[2 * i] : 0,
                        has_paddings ? paddings[2 * i + 1] : 0,
                        padding};
    const bool is_spatial = channels_first ? i >= 2 : i >= 1 && i + 1 < rank;
    if (!is_spatial) {
      // Pooling over channels is rare, and not every kind does it.
      result[i] = is_moved ? Dim::unknown() : (*dims)[i];
    } else {
      result[i] = is_moved || has_paddings ? slide((*dims)[i], window) : (*dims)[i];
    }
  }
  context.set_shape(output, result);
}

template <std::size_t rank>
void pool(RuleContext& context) {
  pool_with(context, rank, context.integers("ksize"), context.integers("strides"), 0);
}

// Sizes and strides as inputs.
void pool_by_inputs(RuleContext& context) {
  pool_with(context, 4, context.numbers(1).value_or(std::vector<std::int64_t>{}),
            context.numbers(2).value_or(std::vector<std::int64_t>{}), 0);
}

void pool_with_positions(RuleContext& context) {
  const auto sizes = context.integers("ksize");
  const auto strides = context.integers("strides");
  pool_with(context, 4, sizes, strides, 0);
  pool_with(context, 4, sizes, strides, 1);
}

// The output has the rank that is pooled, even if nothing else is known.
template <std::size_t input, std::size_t rank = 4>
void like_pooled_input(RuleContext& context) {
  const bool known = context.rank(input) >= 0;
  context.set_shape(
      0, known ? context.fact(input).shape : context.checked_id(RuleContext::unknown_dims(rank)));
}

constexpr ShapeRuleEntry kPoolingTable[] = {
    {"MaxPool AvgPool", pool<4>},
    {"MaxPool3D AvgPool3D", pool<5>},
    {"MaxPoolV2", pool_by_inputs},
    {"MaxPoolWithArgmax", pool_with_positions},
    {"MaxPoolGrad MaxPoolGradV2 MaxPoolGradWithArgmax LRN LRNGrad FractionalMaxPoolGrad",
     like_pooled_input<0>},
    {"MaxPool3DGrad", like_pooled_input<0, 5>},
    {"MaxPoolGradGrad MaxPoolGradGradV2", like_pooled_input<1>},
    {"MaxPool3DGradGrad", like_pooled_input<1, 5>},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kPoolingRules = kPoolingTable;

}  // namespace tideline::shapes
