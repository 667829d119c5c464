// The way of one swap on the clock: who makes the tensor, its copies, and who reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/view/axis.h"
#include "render/view/swap_layout.h"

namespace tideline::render {

/// An op on the way of a swap.
struct LensOp {
  OpId op;  ///< invalid: there is none
  std::int32_t level = 0;
  OpTime time;  ///< zeros if it does not run on the device

  [[nodiscard]] bool has_time() const { return time.end_ns > 0; }
};

/// A swapped tensor from its producer to its readers, by the clock of the first device.
struct SwapLens {
  TensorId tensor;
  Bytes bytes = 0;
  std::int32_t bar = 0;  ///< index of SwapLayout::bars
  LensOp producer;
  std::optional<CopyTime> out;     ///< nullopt: it did not run, or its time is unknown
  std::int32_t way = 0, ways = 1;  ///< which of how many ways back the rest is about
  LensOp trigger;                  ///< the op that lets it come back; of several the last
  std::optional<CopyTime> in;      ///< as `out`
  std::vector<LensOp> readers;     ///< of this way back, by level
  std::int64_t wait_ns = 0;        ///< that its first reader waits for it
  std::int32_t out_level = 0;      ///< as SwapSpan
  std::int32_t in_level = 0;

  [[nodiscard]] bool has_times() const { return out.has_value() && in.has_value(); }
};

/// The lens of a swapped tensor; nullopt for others. A tensor that comes back several times is seen
/// on the last of its ways back that crosses the `visible` levels, else on its last.
/// Cost: O(swaps + copies). Thread: pure.
[[nodiscard]] std::optional<SwapLens> find_lens(const Scene& scene, const SwapLayout& swaps,
                                                TensorId tensor, VisibleRange visible);

/// The levels of both ends of a swap, included: from its producer to the end of its copy out, and
/// from where it may come back for the last time to its last reader.
struct SwapEnds {
  double out_first = 0, out_last = 0;
  double in_first = 0, in_last = 0;
};
/// Nullopt for a tensor that is not swapped. Cost: as layout_link. Thread: pure.
[[nodiscard]] std::optional<SwapEnds> swap_ends(const Scene& scene, TensorId tensor);

/// "12.345 ms": a moment of a step.
[[nodiscard]] std::string moment_text(double ns);

}  // namespace tideline::render
