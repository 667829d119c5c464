// Problem: kernels do not reach the peak of a data sheet, and how near they come depends on the op:
// with the peaks alone the published step of a 3-D U-Net takes 1.65 times as long as computed.
//
// Idea: a share of the peak for each kind of kernel and direction, the same for all sizes.
//
//   product       of matrices; a convolution in three dims with a window of one element is one, too
//   pointwise     a window of one element; the gradient of the input writes zeros if strided
//   Winograd      3 x 3 at stride 1: multiplies up to four times less than is counted, so the share
//                 is above 1; with few channels the gradient of the filter does without
//   others        windows of two dims, and of three
//
// A kernel computes tiles of 32 channels or more, so of 16 channels half of a tile is thrown away.
// TensorFlow transposes the volumes of a convolution in three dims to channels-first and back
// within the op. The gradient of what? The filter is an output only if it is its gradient, and the
// larger side is an output only in a forward op (op_facts.txt).
//
// Example: 3 x 3 at stride 1 from 64 to 64 channels reaches 1.5 of the peak forward and 0.57 for
// the gradient of the filter.
//
// Source: shares on ordinary units, fp32 on a V100, and on tensor cores, fp16: fitted to 160
// products and 272 convolutions of DeepBench (baidu-research/DeepBench,
// results/train/DeepBench_NV_V100.xlsx, October 2019), of which 59 % of the convolutions and 84 %
// of the products come within a factor of 1.25. It has no convolutions in three dims: 0.7 and 0.5
// follow from the published inference and training of a 3-D U-Net (device_profiles.md). The layout:
// TensorFlow, conv_ops_3d.cc (behaviour only).
//
// Limits: one share for all sizes; groups of channels count as one; depthwise convolutions, which
// are limited by bytes, as reaching the peak; weights of recurrent blocks as products. Gradients in
// three dims are taken to transpose as the forward op does.
// Tested by unit/memory/kernel_share_test.cc.
#include "core/memory/kernel_share.h"

#include <algorithm>
#include <cmath>

namespace tideline {
namespace {

constexpr std::size_t kBesideWindow = 2;  // dims of a filter: input and output channels
constexpr double kTileChannels = 32;
constexpr std::int64_t kManyChannels = 128;
constexpr std::int64_t kWinogradWindow = 3;

constexpr KernelShare kProductShare = {0.84, 0.81};

enum class Direction : std::uint8_t { kForward, kInput, kFilter };

struct Shares {
  double forward, input, filter;
  [[nodiscard]] double of(Direction direction) const {
    switch (direction) {
      case Direction::kForward: return forward;
      case Direction::kInput: return input;
      case Direction::kFilter: return filter;
    }
    return forward;
  }
};
constexpr Shares kPointwise = {0.70, 0.68, 0.45};
constexpr double kStridedPointwiseInput = 0.29;
constexpr Shares kWinograd = {1.50, 1.50, 1.70};
constexpr double kFewChannelsFilter = 0.57;
constexpr Shares kWindow = {0.82, 0.60, 0.62};
constexpr Shares kVolume = {0.70, 0.50, 0.50};
constexpr Shares kOnTensorCores = {0.65, 0.50, 0.50};

class Convolution {
 public:
  Convolution(const Graph& graph, const TensorTable& tensors, const OpFacts& facts, OpId op)
      : graph_(graph), op_(op) {
    const OpArgument filter = facts.flops_of[0];
    const auto inputs = graph.inputs(op);
    if (filter.position >= (filter.is_output ? tensors.output_count(op) : inputs.size())) return;
    const TensorId id = filter.is_output ? TensorId{op, filter.position} : inputs[filter.position];
    if (tensors.shape(id).has_rank) filter_ = tensors.shape(id).dims;
    direction_ = filter.is_output              ? Direction::kFilter
                 : facts.flops_of[1].is_output ? Direction::kForward
                                               : Direction::kInput;
  }

  [[nodiscard]] KernelShare share() const {
    if (filter_.size() <= kBesideWindow) return {};
    const bool is_volume = window_dims() > 2;
    if (is_volume && is_pointwise() && !is_strided()) return kProductShare;
    const double used = used_of_tiles();
    return {ordinary() * used, kOnTensorCores.of(direction_) * used, is_volume};
  }

 private:
  [[nodiscard]] std::size_t window_dims() const { return filter_.size() - kBesideWindow; }
  [[nodiscard]] bool is_window(std::int64_t size) const {
    return std::all_of(filter_.begin(), filter_.end() - kBesideWindow,
                       [size](std::int64_t dim) { return dim == size; });
  }
  [[nodiscard]] bool is_pointwise() const { return is_window(1); }
  [[nodiscard]] std::int64_t input_channels() const { return filter_[filter_.size() - 2]; }
  [[nodiscard]] std::int64_t output_channels() const { return filter_.back(); }

  [[nodiscard]] double ordinary() const {
    if (window_dims() > 2) return kVolume.of(direction_);
    if (is_pointwise()) {
      return direction_ == Direction::kInput && is_strided() ? kStridedPointwiseInput
                                                             : kPointwise.of(direction_);
    }
    if (window_dims() == 2 && is_window(kWinogradWindow) && !is_strided() && !is_dilated()) {
      return direction_ == Direction::kFilter && has_few_channels() ? kFewChannelsFilter
                                                                    : kWinograd.of(direction_);
    }
    return kWindow.of(direction_);
  }

  [[nodiscard]] bool has_few_channels() const {
    const std::int64_t least = std::min(input_channels(), output_channels());
    return least != kUnknownDim && least < kManyChannels;
  }

  // The part of its tiles that a kernel uses.
  [[nodiscard]] double used_of_tiles() const {
    const std::int64_t channels =
        direction_ == Direction::kInput ? input_channels() : output_channels();
    if (channels <= 0) return 1;
    const double tiles = std::ceil(static_cast<double>(channels) / kTileChannels);
    return static_cast<double>(channels) / (kTileChannels * tiles);
  }

  [[nodiscard]] bool is_strided() const { return is_above_one("strides"); }
  [[nodiscard]] bool is_dilated() const { return is_above_one("dilations"); }
  [[nodiscard]] bool is_above_one(std::string_view key) const {
    const auto value = graph_.attribute(op_, key);
    if (!value || !*value) return false;
    return std::any_of((*value)->integers.begin(), (*value)->integers.end(),
                       [](std::int64_t step) { return step > 1; });
  }

  const Graph& graph_;
  OpId op_;
  std::vector<std::int64_t> filter_;  // dims: the window, input channels, output channels
  Direction direction_ = Direction::kForward;
};

}  // namespace

KernelShare kernel_share(const Graph& graph, const TensorTable& tensors, const OpFacts& facts,
                         OpId op) {
  switch (facts.flops_rule) {
    case FlopsRule::kNone:
    case FlopsRule::kDepthwise: return {};
    case FlopsRule::kProduct:
    case FlopsRule::kWeights: return kProductShare;
    case FlopsRule::kConvolution: return Convolution(graph, tensors, facts, op).share();
  }
  return {};
}

}  // namespace tideline
