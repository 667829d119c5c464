// The swaps of a plan on the level axis: swap-out, time on the host, swap-in.
#pragma once

#include <cstdint>
#include <vector>

#include "render/view/op_layout.h"
#include "render/view/scene.h"

namespace tideline::render {

/// A swap-in with its swap-out, in levels of Scene::levels.
struct SwapSpan {
  std::uint32_t swap = 0;     ///< index of LmsPlan::swaps
  std::uint32_t swap_in = 0;  ///< index of PlannedSwap::swap_ins
  TensorId tensor;
  Bytes bytes = 0;  ///< by Scene::tensors, as the memory view counts
  OpId consumer;    ///< the first that reads the swap-in; invalid when none does
  std::int32_t producer_level = 0;
  std::int32_t out_level = 0;  ///< first level with the copy on the host: producer_level + 1
  std::int32_t in_level = 0;   ///< first level with the swap-in: one after everything it waits for
  std::int32_t consumer_level = 0;
};

/// All spans, in the order of the plan; producer_level < out_level <= in_level. None without a
/// plan. Cost: O(swaps + readers). Thread: pure.
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
};

inline constexpr std::size_t kMostBars = 400;

struct SwapLayout {
  std::vector<SwapSpan> spans;  ///< those of one tensor are adjacent
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
