// Swaps on the level axis: swap-out, time on the host, swap-in.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms/swap_spans.h"
#include "render/view/op_layout.h"
#include "render/view/scene.h"

namespace tideline::render {

using tideline::SwapSpan;

/// The spans of tideline::swap_spans with in_level <= consumer_level, for drawing. Sizes come from
/// Scene::tensors, as in the memory view. Swaps of the plan come before swaps that the graph holds
/// already.
[[nodiscard]] std::vector<SwapSpan> swap_spans(const Scene& scene);

/// A swapped tensor in host memory, or several of one scope.
struct SwapBar {
  TensorId tensor;                               ///< the largest of them
  Bytes bytes = 0;                               ///< of all of them
  std::uint32_t members = 1;                     ///< tensors
  std::uint32_t scope = 0;                       ///< for a group: the common scope
  std::int32_t out_level = 0;                    ///< of the first swap-out
  std::int32_t end_level = 0;                    ///< of the last swap-in
  std::uint32_t first_span = 0, span_count = 0;  ///< a range of SwapLayout::spans; of a group the
                                                 ///< largest member's
  bool is_idle = false;                          ///< none of them lowers the peak
};

inline constexpr std::size_t kMostBars = 400;

struct SwapLayout {
  std::vector<SwapSpan> spans;  ///< spans of a tensor are adjacent
  std::vector<SwapBar> bars;    ///< by out level, the longest first
  std::vector<SwapBar> groups;  ///< bars merged to at most kMostBars; empty if there are few
  std::vector<LongLived>
      candidates;  ///< long-lived tensors that are not swapped, by bytes x levels, descending
  bool has_policy = false;
  Bytes bytes = 0;                ///< of all swapped tensors
  std::vector<TensorId> swapped;  ///< sorted

  [[nodiscard]] bool is_swapped(TensorId tensor) const;
};

/// Computes the layout. Needed once per plan. Cost: O(swaps x log swaps). Thread: pure.
[[nodiscard]] SwapLayout layout_swaps(const Scene& scene, const OpLayout& ops);

}  // namespace tideline::render
