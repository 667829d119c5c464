// The swaps of a plan on the level axis: when a tensor leaves, waits and returns.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/swap_spans.h"
#include "render/view/op_layout.h"
#include "render/view/scene.h"

namespace tideline::render {

using tideline::SwapSpan;

/// As tideline::swap_spans has them, for drawing: no span ends behind its consumer. Sizes are those
/// of Scene::tensors, as the memory view counts. Without a plan none.
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
