// The swaps of a plan on the level axis: when a tensor leaves, waits and returns.
#pragma once

#include <cstdint>
#include <vector>

#include "render/view/op_layout.h"
#include "render/view/scene.h"

namespace tideline::render {

/// A swap-in with what led to it, in levels of Scene::levels.
struct SwapSpan {
  std::uint32_t swap = 0;     ///< index of LmsPlan::swaps
  std::uint32_t swap_in = 0;  ///< index of PlannedSwap::swap_ins
  TensorId tensor;
  Bytes bytes = 0;  ///< by Scene::tensors, as the memory view counts
  OpId consumer;    ///< the first that reads it again; invalid when none does
  std::int32_t producer_level = 0;
  std::int32_t out_level = 0;  ///< from here on the copy on the host is there: producer + 1
  std::int32_t in_level = 0;   ///< from here on it is back: one after all that it waits for
  std::int32_t consumer_level = 0;
};

/// In the order of the plan. producer < out <= in. Without a plan none. Cost: O(swaps + readers).
[[nodiscard]] std::vector<SwapSpan> swap_spans(const Scene& scene);

/// A tensor, or several of one scope, in host memory.
struct SwapBar {
  TensorId tensor;                               ///< the largest of them
  Bytes bytes = 0;                               ///< of all of them
  std::uint32_t members = 1;                     ///< tensors
  std::uint32_t scope = 0;                       ///< of a group: what they have in common
  std::int32_t out_level = 0;                    ///< the first leaves
  std::int32_t end_level = 0;                    ///< the last is back
  std::uint32_t first_span = 0, span_count = 0;  ///< a range of SwapLayout::spans; of a group the
                                                 ///< largest member's
};

inline constexpr std::size_t kMostBars = 400;

struct SwapLayout {
  std::vector<SwapSpan> spans;  ///< of one tensor side by side
  std::vector<SwapBar> bars;    ///< by out level, the longest first
  std::vector<SwapBar> groups;  ///< the same merged to at most kMostBars; empty when few
  std::vector<LongLived>
      candidates;  ///< long-lived tensors that stay; most bytes times levels first
  bool has_policy = false;
  Bytes bytes = 0;                ///< of all swapped tensors
  std::vector<TensorId> swapped;  ///< sorted

  [[nodiscard]] bool is_swapped(TensorId tensor) const;
};

/// Once per plan. Cost: O(swaps log swaps). Thread: pure.
[[nodiscard]] SwapLayout layout_swaps(const Scene& scene, const OpLayout& ops);

}  // namespace tideline::render
