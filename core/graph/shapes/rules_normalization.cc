// Batch normalisation and its gradients.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// The vector of channels of input 0, refined by vectors that stand beside it.
DimsId channels(RuleContext& context, std::initializer_list<std::size_t> vectors) {
  const Dims* dims = context.shape(0);
  Dim channel = Dim::unknown();
  if (dims != nullptr && dims->size() >= 2) {
    const bool channels_first = context.text("data_format", "NHWC").starts_with("NC");
    channel = channels_first ? (*dims)[1] : dims->back();
  }
  DimsId vector = context.checked_id(Dims{channel});
  for (const std::size_t input : vectors) {
    vector = meet_shapes(context, vector, context.fact(input).shape);
  }
  return vector;
}

// x with its channels refined.
DimsId refined(RuleContext& context, std::size_t input, DimsId channels) {
  const Dims* dims = context.shape(input);
  if (dims == nullptr) return kNothing;
  if (dims->size() < 2) return kNothing;
  const bool channels_first = context.text("data_format", "NHWC").starts_with("NC");
  Dims result(dims->size());
  result[channels_first ? 1 : dims->size() - 1] = context.lists().find(channels)->front();
  return meet_shapes(context, context.fact(input).shape, context.checked_id(result));
}

// x, scale, offset, mean, variance -> y, mean, variance, two reserved vectors, and from version 3
// on one whose size is the device's business.
void batch_norm(RuleContext& context) {
  const bool is_training = context.boolean("is_training", true);
  const DimsId vector = is_training ? channels(context, {1, 2}) : channels(context, {1, 2, 3, 4});
  if (context.has_contradiction()) return;
  if (context.rank(0) < 0) {
    const bool volume = context.text("data_format", "NHWC").size() == 5;
    context.set_shape(0, RuleContext::unknown_dims(volume ? 5 : 4));
  } else {
    context.set_shape(0, refined(context, 0, vector));
  }
  for (const std::size_t output : {1U, 2U, 3U, 4U}) context.set_shape(output, vector);
  // Of V3: empty but in one mode of cuDNN. TensorFlow does not infer it.
  if (context.output_count() > 5) context.set_shape(5, Dims{Dim::of(0)});
}

// gradient, x, scale, ... -> gradients of x, scale, offset, and two reserved ones.
void batch_norm_gradient(RuleContext& context) {
  const DimsId vector = channels(context, {2});
  if (context.has_contradiction()) return;
  const DimsId both = meet_shapes(context, context.fact(0).shape, context.fact(1).shape);
  if (context.has_contradiction()) return;
  context.set_shape(0, both);
  context.set_shape(1, vector);
  context.set_shape(2, vector);
  context.set_shape(3, Dims{Dim::of(0)});
  context.set_shape(4, Dims{Dim::of(0)});
}

constexpr ShapeRuleEntry kNormalizationTable[] = {
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 _FusedBatchNormEx", batch_norm},
    {"FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3", batch_norm_gradient},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kNormalizationRules = kNormalizationTable;

}  // namespace tideline::shapes
