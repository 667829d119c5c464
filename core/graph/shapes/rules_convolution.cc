// Convolutions in one, two and three dims, their gradients, and dilation.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// Where batch, channels and spatial dims stand.
struct Layout {
  bool channels_first = false;
  std::size_t rank = 4;

  [[nodiscard]] std::size_t channel() const { return channels_first ? 1 : rank - 1; }
  [[nodiscard]] std::size_t spatial(std::size_t i) const { return i + (channels_first ? 2 : 1); }
  [[nodiscard]] std::size_t spatial_count() const { return rank - 2; }
};

// Only the plain layouts; packed ones are not followed.
std::optional<Layout> layout_of(RuleContext& context, std::size_t rank) {
  const std::string format = context.text("data_format", rank == 4 ? "NHWC" : "NDHWC");
  if (format == "NHWC" || format == "NDHWC" || format == "NWC") return Layout{false, rank};
  if (format == "NCHW" || format == "NCDHW" || format == "NCW") return Layout{true, rank};
  return std::nullopt;
}

std::int64_t entry(const std::vector<std::int64_t>& list, std::size_t i, std::int64_t fallback) {
  return i < list.size() ? list[i] : fallback;
}

// Dims of an input, or as many unknown ones; nothing when it has another rank.
std::optional<Dims> with_rank(RuleContext& context, std::size_t input, std::size_t rank) {
  const Dims* dims = context.shape(input);
  if (dims == nullptr) return RuleContext::unknown_dims(rank);
  if (dims->size() == rank) return *dims;
  context.contradict();
  return std::nullopt;
}

// `depthwise`: each channel has filters of its own.
template <std::size_t rank, bool depthwise>
void convolve(RuleContext& context) {
  const auto layout = layout_of(context, rank);
  const auto input = with_rank(context, 0, rank);
  const auto filter = with_rank(context, 1, rank);
  if (!layout) return context.set_shape(0, kNothing);
  if (!input || !filter) return;
  const auto strides = context.integers("strides");
  const auto dilations = context.integers("dilations");
  const auto paddings = context.integers("explicit_paddings");
  const auto padding = padding_of(context.text("padding", ""));
  Dims result(rank);
  result[0] = (*input)[0];
  for (std::size_t i = 0; i < layout->spatial_count(); ++i) {
    const std::size_t at = layout->spatial(i);
    const Window window{(*filter)[i],
                        entry(strides, at, 1),
                        entry(dilations, at, 1),
                        entry(paddings, 2 * at, 0),
                        entry(paddings, 2 * at + 1, 0),
                        padding};
    result[at] = slide((*input)[at], window);
  }
  const Dim last = (*filter)[rank - 1];
  if (!depthwise) {
    result[layout->channel()] = last;
  } else {
    const auto channels = meet((*input)[layout->channel()], (*filter)[rank - 2]);
    if (!channels) return context.contradict();
    result[layout->channel()] = multiply(*channels, last);
  }
  context.set_shape(0, result);
}

// Quantised ops say the range of their output too.
void quantized(RuleContext& context) {
  convolve<4, false>(context);
  if (context.has_contradiction()) return;
  context.set_shape(1, DimLists::scalar());
  context.set_shape(2, DimLists::scalar());
}

// Gradients whose shape is the value of an input, of pooling too; of the rank of the tensor it
// stands for.
template <std::size_t input, std::size_t rank>
void gradient_of_shape(RuleContext& context) {
  const Dims* sizes = context.value(input);
  if (sizes == nullptr || sizes->size() != rank) {
    return context.set_shape(0, RuleContext::unknown_dims(rank));
  }
  context.set_shape(0, shape_from_value(context, input));
}

// The batch and the channels of the gradient may be known where the sizes are not.
template <std::size_t rank>
void gradient_of_input(RuleContext& context) {
  gradient_of_shape<0, rank>(context);
  const auto layout = layout_of(context, rank);
  const Dims* gradient = context.shape(2);
  const Dims* sizes = context.value(0);
  if (!layout || gradient == nullptr || gradient->size() != rank) return;
  if (sizes != nullptr && sizes->size() != rank) return;
  Dims dims(rank);
  dims[0] = gradient->front();
  context.set_shape(0,
                    meet_shapes(context, sizes == nullptr ? kNothing : shape_from_value(context, 0),
                                context.checked_id(dims)));
}

void dilate(RuleContext& context) {
  const auto input = with_rank(context, 0, 4);
  const auto filter = with_rank(context, 1, 3);
  if (!input || !filter) return;
  const auto strides = context.integers("strides");
  const auto rates = context.integers("rates");
  const auto padding = padding_of(context.text("padding", ""));
  Dims result = *input;
  for (const std::size_t at : {1U, 2U}) {
    result[at] = slide((*input)[at], {(*filter)[at - 1], entry(strides, at, 1), entry(rates, at, 1),
                                      0, 0, padding});
  }
  context.set_shape(0, result);
}

constexpr ShapeRuleEntry kConvolutionTable[] = {
    {"Conv2D _FusedConv2D", convolve<4, false>},
    {"QuantizedConv2D", quantized},
    {"Conv3D", convolve<5, false>},
    {"DepthwiseConv2dNative _FusedDepthwiseConv2dNative", convolve<4, true>},
    {"Conv2DBackpropInput", gradient_of_input<4>},
    {"Conv2DBackpropFilter DepthwiseConv2dNativeBackpropFilter", gradient_of_shape<1, 4>},
    {"Conv3DBackpropInputV2", gradient_of_input<5>},
    {"Conv3DBackpropFilterV2", gradient_of_shape<1, 5>},
    {"DepthwiseConv2dNativeBackpropInput AvgPoolGrad FractionalAvgPoolGrad",
     gradient_of_shape<0, 4>},
    {"AvgPool3DGrad", gradient_of_shape<0, 5>},
    {"Dilation2D", dilate},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kConvolutionRules = kConvolutionTable;

}  // namespace tideline::shapes
