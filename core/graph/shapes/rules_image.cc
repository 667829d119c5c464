// Images, and ops that move dims between space, depth and batch.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

bool has_other_rank(const Dims* dims, std::size_t rank) {
  return dims != nullptr && dims->size() != rank;
}

// images [batch, h, w, c], size [2]
void resize(RuleContext& context) {
  const Dims* images = context.shape(0);
  const Dims* size = context.value(1);
  if (has_other_rank(images, 4) || has_other_rank(size, 2)) return context.contradict();
  context.set_shape(0,
                    Dims{dim_at(images, 0), dim_at(size, 0), dim_at(size, 1), dim_at(images, 3)});
}

// image [batch, h, w, c], boxes [n, 4], box_ind [n], crop_size [2]
void crop_and_resize(RuleContext& context) {
  const Dims* images = context.shape(0);
  const Dims* boxes = context.shape(1);
  const Dims* size = context.value(3);
  if (has_other_rank(images, 4) || has_other_rank(boxes, 2)) return context.contradict();
  const auto n = meet(dim_at(boxes, 0), dim_at(context.shape(2), 0));
  if (!n) return context.contradict();
  context.set_shape(0, Dims{*n, dim_at(size, 0), dim_at(size, 1), dim_at(images, 3)});
}

void crop_gradient_image(RuleContext& context) {
  const Dims* size = context.value(3);
  const bool known = size != nullptr && size->size() == 4;
  context.set_shape(
      0, known ? shape_from_value(context, 3) : context.checked_id(RuleContext::unknown_dims(4)));
}

void extract_glimpse(RuleContext& context) {
  const Dims* images = context.shape(0);
  const Dims* size = context.value(1);
  if (has_other_rank(images, 4)) return context.contradict();
  const auto n = meet(dim_at(images, 0), dim_at(context.shape(2), 0));
  if (!n) return context.contradict();
  context.set_shape(0, Dims{*n, dim_at(size, 0), dim_at(size, 1), dim_at(images, 3)});
}

std::int64_t entry(const std::vector<std::int64_t>& list, std::size_t i) {
  return i < list.size() ? list[i] : 1;
}

// Patches of each place, laid out as depth; `spatial` dims between batch and depth.
template <std::size_t spatial>
void extract_patches(RuleContext& context) {
  const Dims* images = context.shape(0);
  if (has_other_rank(images, spatial + 2)) return context.contradict();
  const auto sizes = context.integers("ksizes");
  const auto strides = context.integers("strides");
  const auto rates = context.integers("rates");
  if (images == nullptr) {
    if (spatial == 2) context.set_shape(0, RuleContext::unknown_dims(spatial + 2));
    return;
  }
  // TensorFlow itself is at odds with the rank of volumes that are not known completely.
  const bool known =
      std::all_of(images->begin() + 1, images->end(), [](Dim dim) { return dim.is_number(); });
  if (spatial == 3 && !known) return;
  const auto padding = padding_of(context.text("padding", ""));
  Dims result(spatial + 2);
  result.front() = dim_at(images, 0);
  Dim depth = dim_at(images, spatial + 1);
  for (std::size_t i = 1; i <= spatial; ++i) {
    depth = multiply(depth, Dim::of(entry(sizes, i)));
    result[i] = slide(dim_at(images, i), {Dim::of(entry(sizes, i)), entry(strides, i),
                                          entry(rates, i), 0, 0, padding});
  }
  result.back() = depth;
  context.set_shape(0, result);
}

// Images behind batch dims become texts.
void encode_images(RuleContext& context) {
  const Dims* images = context.shape(0);
  if (images == nullptr) return;
  if (images->size() < 3) return context.contradict();
  context.set_shape(0, Dims(images->begin(), images->end() - 3));
}

// Exact quotients only.
Dim parts_of(Dim whole, Dim parts) {
  const Dim quotient = divide(whole, parts);
  return multiply(quotient, parts) == whole ? quotient : Dim::unknown();
}

// Blocks of pixels become channels, or the other way round.
template <bool to_depth>
void exchange_depth(RuleContext& context) {
  const std::string format = context.text("data_format", "NHWC");
  const Dims* dims = context.shape(0);
  if (format != "NHWC" && format != "NCHW") return;
  if (has_other_rank(dims, 4)) return context.contradict();
  if (dims == nullptr) return context.set_shape(0, RuleContext::unknown_dims(4));
  const bool channels_first = format == "NCHW";
  const Dim block = Dim::of(context.integer("block_size", 0));
  const std::size_t channel = channels_first ? 1 : 3;
  const std::size_t row = channels_first ? 2 : 1;
  Dims result = *dims;
  for (const std::size_t at : {row, row + 1}) {
    result[at] = to_depth ? parts_of(result[at], block) : multiply(result[at], block);
  }
  const Dim area = multiply(block, block);
  result[channel] = to_depth ? multiply(result[channel], area) : parts_of(result[channel], area);
  context.set_shape(0, result);
}

// Blocks of pixels become examples, or the other way round. `sign` 1: the second matrix pads
// before; -1: it crops after.
void exchange_batch(RuleContext& context, const Dims* block, const Dims* borders, bool to_batch) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (block == nullptr) return context.set_shape(0, RuleContext::unknown_dims(dims->size()));
  if (block->size() + 1 > dims->size()) return context.contradict();
  Dims result = *dims;
  for (std::size_t i = 0; i < block->size(); ++i) {
    const Dim size = (*block)[i];
    Dim border = Dim::unknown();
    if (borders != nullptr && borders->size() == 2 * block->size()) {
      border = add((*borders)[2 * i], (*borders)[2 * i + 1]);
    }
    Dim& dim = result[i + 1];
    dim = to_batch ? parts_of(add(dim, border), size) : subtract(multiply(dim, size), border);
    result[0] = to_batch ? multiply(result[0], size) : parts_of(result[0], size);
  }
  context.set_shape(0, result);
}

template <bool to_batch>
void exchange_batch_nd(RuleContext& context) {
  exchange_batch(context, context.value(1), context.value(2), to_batch);
}

template <bool to_batch>
void exchange_batch_square(RuleContext& context) {
  if (has_other_rank(context.shape(0), 4)) return context.contradict();
  const Dims block(2, Dim::of(context.integer("block_size", 0)));
  exchange_batch(context, &block, context.value(1), to_batch);
}

constexpr ShapeRuleEntry kImageTable[] = {
    {"ResizeBilinear ResizeBicubic ResizeNearestNeighbor ResizeArea ScaleAndTranslate "
     "ResizeNearestNeighborGrad",
     resize},
    {"CropAndResize", crop_and_resize},
    {"CropAndResizeGradImage", crop_gradient_image},
    {"ExtractGlimpse ExtractGlimpseV2", extract_glimpse},
    {"ExtractImagePatches", extract_patches<2>},
    {"ExtractVolumePatches", extract_patches<3>},
    {"EncodePng", encode_images},
    {"SpaceToDepth", exchange_depth<true>},
    {"DepthToSpace", exchange_depth<false>},
    {"SpaceToBatchND", exchange_batch_nd<true>},
    {"BatchToSpaceND", exchange_batch_nd<false>},
    {"SpaceToBatch", exchange_batch_square<true>},
    {"BatchToSpace", exchange_batch_square<false>},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kImageRules = kImageTable;

}  // namespace tideline::shapes
