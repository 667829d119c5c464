// Sources of tensors: constants, placeholders, iterators, decoded files.

#include "core/graph/placeholder_shape.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

void constant(RuleContext& context) {
  const auto content = context.tensor("value");
  if (!content) return;
  Dims dims;
  for (const std::int64_t dim : content->shape.dims) dims.push_back(Dim::of(dim));
  context.set_shape(0, dims);
  if (!content->elements) return;
  Dims elements;
  for (const std::int64_t element : *content->elements) elements.push_back(Dim::of(element));
  context.set_value(0, elements);
}

// The variable behind a resource.
void handle_data(RuleContext& context) {
  const auto handle = context.shape_list("_handle_shapes");
  if (!handle.empty() && handle.front() != kNothing) {
    context.set_handle(0, Handle::of_content(handle.front()));
  }
}

void placeholder(RuleContext& context) {
  context.mark_fed();
  handle_data(context);
  if (declares_no_shape(context.graph(), context.op())) return;
  context.set_shape(0, context.shape_attribute("shape"));
}

// An argument of a function: it stands in its own attributes, when anywhere.
void argument(RuleContext& context) {
  context.mark_fed();
  const auto shapes = context.shape_list("_output_shapes");
  if (!shapes.empty()) context.set_shape(0, shapes.front());
  handle_data(context);
}

template <bool fed>
void listed_shapes(RuleContext& context) {
  if (fed) context.mark_fed();
  const auto shapes =
      context.shape_list(context.type() == "InfeedDequeueTuple" ? "shapes" : "output_shapes");
  for (std::size_t i = 0; i < shapes.size(); ++i) context.set_shape(i, shapes[i]);
}

// Numbers behind each text.
void decoded_raw(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  Dims result = *dims;
  result.push_back(Dim::unknown());
  context.set_shape(0, result);
}

void decoded_sound(RuleContext& context) {
  const auto declared = [&](std::string_view key) {
    const std::int64_t number = context.integer(key, -1);
    return number >= 0 ? Dim::of(number) : Dim::unknown();
  };
  context.set_shape(0, Dims{declared("desired_samples"), declared("desired_channels")});
  context.set_shape(1, DimLists::scalar());
}

// An image: height, width, channels.
void decoded_image(RuleContext& context) {
  const std::int64_t channels = context.integer("channels", 0);
  context.set_shape(
      0, Dims{Dim::unknown(), Dim::unknown(), channels > 0 ? Dim::of(channels) : Dim::unknown()});
}

// An animation has one dim more, unless that is switched off.
void decoded_any_image(RuleContext& context) {
  if (!context.boolean("expand_animations", true)) decoded_image(context);
}

constexpr ShapeRuleEntry kSourceTable[] = {
    {"Const HostConst", constant},
    {"Placeholder PlaceholderV2 PlaceholderWithDefault", placeholder},
    {"_Arg", argument},
    {"IteratorGetNext IteratorGetNextSync MultiDeviceIteratorGetNextFromShard "
     "DatasetToSingleElement OptionalGetValue InfeedDequeueTuple",
     listed_shapes<true>},
    {"ReduceDataset", listed_shapes<false>},
    {"DecodeRaw DecodePaddedRaw", decoded_raw},
    {"DecodeWav", decoded_sound},
    {"DecodeImage", decoded_any_image},
    {"DecodeJpeg DecodePng DecodeAndCropJpeg DecodeBmp", decoded_image},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kSourceRules = kSourceTable;

}  // namespace tideline::shapes
