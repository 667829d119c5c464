// Where a tensor lies during a step: every stretch on the device and on the host, of the tensor
// itself and of the copies that a plan, or the file, swaps in. All outputs that speak of it take it
// from here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/levels.h"
#include "core/analysis/swap_copies.h"
#include "core/graph/graph.h"
#include "core/memory/faithful.h"
#include "core/rewrite/lms/planned_swap.h"

namespace tideline {

/// A buffer while it holds the tensor, in levels of the original graph; an added copy counts as the
/// last original op before it.
struct TensorStretch {
  Space space = Space::kDevice;  ///< kDevice or kHost
  std::int32_t from_level = 0, to_level = 0;
  bool is_pinned = false;   ///< the whole step: variables, constants
  bool is_copy = false;     ///< copied from the other space, by a swap or for its readers there
  bool is_at_peak = false;  ///< in device memory when that has its peak
};

struct TensorStretches {
  std::vector<TensorStretch> stretches;  ///< in the order in which they begin
  /// Other tensors of the graph that share the tensor's own buffer, which is kept until the last of
  /// them has been read; by op.
  std::vector<TensorId> shared_with;
  TensorId shared_copy_of;  ///< the tensor whose swapped-in copy it shares; invalid: none
  /// Of a swapped tensor: what is written into its own buffer while it is away, so that the buffer
  /// stays although the tensor does not; invalid: nothing.
  TensorId taken_over_by;
  std::int32_t taken_over_level = 0;
  bool is_taken_over_at_peak = false;  ///< at the peak its buffer holds something else
  bool runs = false;                   ///< whether the step runs the op that makes the tensor
  std::string folded;  ///< what became of the tensor in a step as TensorFlow runs it (fold_text.h)

  /// Whether MemoryTimeline::alive_at_peak has one of its buffers.
  [[nodiscard]] bool is_at_peak() const;
};

/// The stretches of `tensor` in `step`, which was simulated from `original` with the edit of a
/// plan that makes `swaps`. `copies`, if not null, are the swaps that `graph` holds. Buffers
/// without bytes are left out. `levels` is the map in which levels are told. Cost: O(ops + buffers
/// + tensors). Thread: pure.
[[nodiscard]] TensorStretches find_stretches(const Graph& graph, const LevelMap& levels,
                                             const StepGraph& original,
                                             std::span<const PlannedSwap> swaps,
                                             const FaithfulStep& step, TensorId tensor,
                                             const SwapCopies* copies = nullptr);

/// By level: "device 5-6, host 6-6, device 7-602; at the peak: yes, as copy". `graph` names the
/// tensors that share the buffer. Front ends print it after "memory by level: ".
[[nodiscard]] std::string stretches_text(const Graph& graph, const TensorStretches& found);

}  // namespace tideline
