// Swaps on the level axis: swap-out, time on the host, swap-in.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms/swap_spans.h"
#include "render/view/link_layout.h"
#include "render/view/op_layout.h"
#include "render/view/scene.h"

namespace tideline::render {

using tideline::SwapSpan;

/// The spans of tideline::swap_spans with in_level <= consumer_level, for drawing. Sizes come from
/// Scene::tensors, as in the memory view. Swaps of the plan come before swaps that the graph holds
/// already.
[[nodiscard]] std::vector<SwapSpan> swap_spans(const Scene& scene);

/// A swapped tensor: in host memory from `out_level` to `end_level`, then on its way to its
/// readers.
struct SwapBar {
  TensorId tensor;
  Bytes bytes = 0;
  std::int32_t producer_level = 0;
  std::int32_t out_level = 0;                    ///< of the swap-out
  std::int32_t end_level = 0;                    ///< of the last swap-in
  std::int32_t reader_level = 0;                 ///< the last one at which a swap-in is first read
  std::int64_t late_ns = 0;                      ///< the longest that a reader waits for it
  std::uint32_t first_span = 0, span_count = 0;  ///< a range of SwapLayout::spans
  bool is_idle = false;                          ///< does not lower the peak
};

/// A use of a tensor that the plan has given to a swap-in.
struct Rerouted {
  TensorId tensor;
  OpId consumer;
  friend constexpr auto operator<=>(const Rerouted&, const Rerouted&) = default;
};

struct SwapLayout {
  std::vector<SwapSpan> spans;        ///< spans of a tensor are adjacent
  std::vector<std::int64_t> late_ns;  ///< by span: how long its reader waits for it
  std::vector<SwapBar> bars;          ///< by out level, the longest first
  std::vector<LongLived>
      candidates;  ///< long-lived tensors that are not swapped, by bytes x levels, descending
  bool has_policy = false;
  Bytes bytes = 0;                 ///< of all swapped tensors
  std::vector<TensorId> swapped;   ///< sorted
  std::vector<Rerouted> rerouted;  ///< sorted
  double ns_a_level = 0;           ///< the mean of the step; 0: unknown
  LinkLayout link;

  [[nodiscard]] bool is_swapped(TensorId tensor) const;
  /// Whether `consumer` reads a copy instead, so that its edge from `tensor` is not in the result.
  [[nodiscard]] bool is_rerouted(TensorId tensor, OpId consumer) const;
  /// A time on the axis of levels, as a length.
  [[nodiscard]] double levels_of(std::int64_t ns) const {
    return ns_a_level > 0 ? static_cast<double>(ns) / ns_a_level : 0;
  }
};

/// Computes the layout. Needed once per plan. Cost: O(swaps x log swaps). Thread: pure.
[[nodiscard]] SwapLayout layout_swaps(const Scene& scene, const OpLayout& ops);

}  // namespace tideline::render
